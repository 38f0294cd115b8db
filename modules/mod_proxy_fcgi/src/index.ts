import { defineModule, type Module, type Outcome, type Request } from '@gatewright/api'
import { WorkerPools } from '@gatewright/upstream'
import { createFcgiConfig, type FcgiConfig, mergeFcgiConfig } from './config.ts'
import { directives } from './directives.ts'
import { DEFAULT_PORT, pass } from './pass.ts'
import { guessPathInfo } from './path-info.ts'

/**
 * PHP-FPM gives a child to each connection, idle or not: connections are used again under load, and not kept from others
 * after it.
 */
const IDLE = { ttl: 100, smax: 0 } as const

/** Backends that speak FastCGI, such as PHP-FPM. */
const proxyFcgi: Module<FcgiConfig> = defineModule<FcgiConfig>({
  name: 'proxy_fcgi_module',
  source: 'mod_proxy_fcgi.c',
  capabilities: ['fs', 'net'],
  perDirectory: { create: createFcgiConfig, merge: mergeFcgiConfig },
  directives,
  register({ providers, services, log, configOf, onEnd }) {
    const pools = new WorkerPools(IDLE)
    pools.inherit(services, 'mod_proxy_fcgi.c', log)
    onEnd(() => pools.close())
    const none = createFcgiConfig()
    const parts = { pools, log, services, configOf: (request: Request) => configOf(request) ?? none }
    providers.proxySchemes.add('fcgi', {
      defaultPort: DEFAULT_PORT,
      log,
      canonical,
      pass: (passing) => pass(passing, parts),
      connections: (worker) => pools.connections(worker),
    })
  },
})
export default proxyFcgi

/** A file that SetHandler passes on is named as it is; the path of a URL is escaped. The query is a parameter of its own. */
function canonical(request: Request, url: string, escaped: string | Outcome): string | Outcome {
  if (typeof escaped !== 'string') return escaped
  const target = request.handler?.startsWith('proxy:') === true ? url : escaped
  guessPathInfo(request, target)
  return target
}
