import type { AuthzProvider } from '@gatewright/api'
import { isLoopback } from '@gatewright/ipset'
import type { ClientAddresses } from './client-addresses.ts'

/** `Require local`: client and server share the address, or the client's is a loopback address. Arguments are ignored. */
export function localProvider(clients: ClientAddresses): AuthzProvider {
  return {
    parse: () => (request) =>
      request.useragentAddress === request.connection.localAddress || isLoopback(clients.of(request)) ? 'granted' : 'denied',
  }
}
