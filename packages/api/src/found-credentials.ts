import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import type { Request } from './request.ts'

/**
 * The stored hash that a provider found for a user, for a password or for a realm, regardless of whether the
 * password matches.
 * @suppliedByModules
 */
export interface FoundCredentials {
  /** The name in AuthnCacheProvideFor: `file`, also for its aliases. */
  readonly provider: string
  /** Name of the user, as the client sent it. */
  readonly user: string
  /** The realm for a hash of Digest authentication; null for the hash of a password. */
  readonly realm: string | null
  /** The hash as stored. */
  readonly hash: string
}

/**
 * Provided by mod_authn_socache: an authentication provider reports its result, so that later requests need
 * not consult it.
 * @since 2.4.2
 */
export const storeCredentials: OptionalFunction<(request: Request, found: FoundCredentials) => void> =
  optionalFunction('authn_socache:store')
