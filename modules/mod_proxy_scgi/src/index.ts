import { defineModule, type Module, type Outcome, type Request } from '@gatewright/api'
import { WorkerPools } from '@gatewright/upstream'
import { createScgiConfig, directives, mergeScgiConfig, type ScgiConfig } from './config.ts'
import { DEFAULT_PORT, pass } from './pass.ts'

/** Back ends that speak SCGI. */
const proxyScgi: Module<ScgiConfig> = defineModule<ScgiConfig>({
  name: 'proxy_scgi_module',
  source: 'mod_proxy_scgi.c',
  capabilities: ['net'],
  perDirectory: { create: createScgiConfig, merge: mergeScgiConfig },
  directives,
  register({ providers, services, log, configOf, onEnd }) {
    const pools = new WorkerPools({ ttl: 0, smax: 0 })
    onEnd(() => pools.close())
    const none = createScgiConfig()
    const parts = { pools, log, services, configOf: (request: Request) => configOf(request) ?? none }
    providers.proxySchemes.add('scgi', {
      defaultPort: DEFAULT_PORT,
      log,
      canonical,
      pass: (passing) => pass(passing, parts),
      connections: (worker) => pools.connections(worker),
    })
  },
})
export default proxyScgi

/** A file that SetHandler passes on is named as it is; the path of a URL is escaped. The query is a parameter of its own. */
function canonical(request: Request, url: string, escaped: string | Outcome): string | Outcome {
  return request.handler?.startsWith('proxy:') === true && typeof escaped === 'string' ? url : escaped
}
