import { defineModule, type Module, type ProxyScheme } from '@gatewright/api'
import { USUAL_IDLE, WorkerPools } from '@gatewright/upstream'
import { Links } from './links.ts'
import { pass } from './pass.ts'

/** Backends that speak HTTP/2: by TLS (`h2`), or in the clear with prior knowledge (`h2c`). */
const proxyHttp2: Module = defineModule({
  name: 'proxy_http2_module',
  source: 'mod_proxy_http2.c',
  capabilities: ['net'],
  register({ providers, services, functions, log, onEnd }) {
    const pools = new WorkerPools(USUAL_IDLE)
    onEnd(() => pools.close())
    const parts = { pools, links: new Links(), log, services, functions }
    const scheme = (defaultPort: number): ProxyScheme => ({
      defaultPort,
      log,
      pass: (passing) => pass(passing, parts),
      connections: (worker) => pools.connections(worker),
    })
    providers.proxySchemes.add('h2', scheme(443))
    providers.proxySchemes.add('h2c', scheme(80))
  },
})
export default proxyHttp2
