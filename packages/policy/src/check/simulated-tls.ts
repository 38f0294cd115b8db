import { type AnyModule, defineModule, type Request } from '@gatewright/api'
import { tlsValueOf } from '@gatewright/api/peers'

/**
 * In place of mod_ssl for a tree without a server: `%{HTTPS}` is on in requests to a virtual host whose scheme is
 * https. No connection is secured.
 */
export const simulatedTls: AnyModule = defineModule({
  name: 'simulated_tls_module',
  source: 'simulated_tls.c',
  register({ functions, providers }) {
    functions.offer(tlsValueOf, (request, name) => (name === 'HTTPS' ? https(request) : ''))
    providers.expressionNames.add('simulated_tls', { variable: (name) => (name === 'HTTPS' ? https : undefined) })
  },
})

function https({ server }: Request): 'on' | 'off' {
  return server.scheme === 'https' ? 'on' : 'off'
}
