import { defineModule, type Module } from '@gatewright/api'
import { WorkerPools } from '@gatewright/upstream'
import { DEFAULT_PORT, pass } from './pass.ts'

/** Back ends that speak uwsgi. */
const proxyUwsgi: Module = defineModule({
  name: 'proxy_uwsgi_module',
  source: 'mod_proxy_uwsgi.c',
  capabilities: ['net'],
  register({ providers, services, log, onEnd }) {
    const pools = new WorkerPools({ ttl: 0, smax: 0 })
    onEnd(() => pools.close())
    const parts = { pools, log, services }
    providers.proxySchemes.add('uwsgi', {
      defaultPort: DEFAULT_PORT,
      log,
      canonical: (_request, _url, escaped) => escaped,
      pass: (passing) => pass(passing, parts),
      connections: (worker) => pools.connections(worker),
    })
  },
})
export default proxyUwsgi
