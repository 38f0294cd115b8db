import { DECLINED, defineModule, directive, type Module, type ProxyScheme, type Request, type SectionInfo } from '@gatewright/api'
import { WorkerPools } from '@gatewright/upstream'
import { passWebSocket } from './pass-web-socket.ts'

/** What sections set. */
export interface TunnelConfig {
  /** ProxyWebsocketFallbackToProxyHttp. */
  fallsBack?: boolean
}

/** WebSockets of back ends, which mod_proxy_http serves unless ProxyWebsocketFallbackToProxyHttp is off. */
const proxyWsTunnel: Module<TunnelConfig> = defineModule<TunnelConfig>({
  name: 'proxy_wstunnel_module',
  source: 'mod_proxy_wstunnel.c',
  capabilities: ['net'],
  perDirectory: {
    create: (_section: SectionInfo): TunnelConfig => ({}),
    merge: (base, over) => ({ fallsBack: over.fallsBack ?? base.fallsBack }),
  },
  directives: {
    ProxyWebsocketFallbackToProxyHttp: directive.flag({
      scope: 'directory',
      context: ['server', 'virtualhost', 'directory'],
      help: 'whether to let mod_proxy_http handle the upgrade and tunneling, On by default',
      set: (config: TunnelConfig, on) => void (config.fallsBack = on),
    }),
  },
  register({ hooks, providers, services, functions, log, configOf, onEnd }) {
    const schemes = providers.proxySchemes
    const pools = new WorkerPools({ ttl: 0, smax: 0 })
    onEnd(() => pools.close())
    const parts = { pools, log, services, functions }
    hooks.preConfig.add(() => {
      for (const [name, defaultPort] of [
        ['ws', 80],
        ['wss', 443],
      ] as const) {
        const http: ProxyScheme | undefined = schemes.get(name)
        const fallsBack = (request: Request): boolean => http !== undefined && configOf(request)?.fallsBack !== false
        const scheme: ProxyScheme = {
          defaultPort,
          log: http?.log ?? log,
          // A request that does not ask for another protocol is left to the lines after the one that names it.
          accepts: (request) => fallsBack(request) || request.headersIn.has('Upgrade'),
          pass: (passing) => {
            if (http !== undefined && fallsBack(passing.request)) return http.pass(passing)
            return http === undefined && configOf(passing.request)?.fallsBack !== false ? DECLINED : passWebSocket(passing, parts)
          },
          connections: (worker) => http?.connections?.(worker) ?? pools.connections(worker),
        }
        schemes.add(name, scheme, { replace: http !== undefined })
      }
    })
  },
})
export default proxyWsTunnel
