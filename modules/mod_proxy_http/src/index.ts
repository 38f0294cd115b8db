import { defineModule, type Module, type ProxyScheme } from '@gatewright/api'
import { USUAL_IDLE, WorkerPools } from '@gatewright/upstream'
import { pass } from './pass.ts'

/** Backends that speak HTTP/1.1, in the clear or by TLS; also those that change to WebSocket. */
const proxyHttp: Module = defineModule({
  name: 'proxy_http_module',
  source: 'mod_proxy_http.c',
  capabilities: ['net'],
  register({ providers, services, functions, log, onEnd }) {
    const pools = new WorkerPools(USUAL_IDLE)
    pools.inherit(services, 'mod_proxy_http.c', log)
    onEnd(() => pools.close())
    const parts = { pools, log, services, functions }
    const scheme = (defaultPort: number): ProxyScheme => ({
      defaultPort,
      log,
      pass: (passing) => pass(passing, parts),
      connections: (worker) => pools.connections(worker),
    })
    providers.proxySchemes.add('http', scheme(80))
    providers.proxySchemes.add('https', scheme(443))
    providers.proxySchemes.add('ws', scheme(80))
    providers.proxySchemes.add('wss', scheme(443))
  },
})
export default proxyHttp
