import type { AuthzProvider } from '@gatewright/api'
import { type AddressReader, isLoopback } from '@gatewright/ipset'

/**
 * `Require local`: client and server have the same address, or the client has a loopback address. Arguments
 * are ignored.
 */
export function localProvider(clients: AddressReader): AuthzProvider {
  return {
    decidesBy: 'configuration',
    parse: () => (request) =>
      request.useragentAddress === request.connection.localAddress || isLoopback(clients.of(request.useragentAddress))
        ? 'granted'
        : 'denied',
  }
}
