import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import type { Request } from './request.ts'

/**
 * What mod_remoteip knows of the peer that sent a request.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ForwardingPeer {
  /** Whether a directive names the peer's address as that of a proxy. */
  readonly isListed: boolean
  /** Whether the address of the request's client is one that the peer reported. */
  readonly namedClient: boolean
}

/**
 * Provided by mod_remoteip.
 * @since 2.4.6
 */
export const forwardingPeerOf: OptionalFunction<(request: Request) => ForwardingPeer> = optionalFunction('remoteip:peer')
