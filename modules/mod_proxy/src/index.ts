import { DECLINED, defineModule, type Module, OK, type Request, type Server } from '@gatewright/api'
import { balancersOf, extendMetrics, extendStatus, proxyServes, sharedSlots } from '@gatewright/api/peers'
import { BlockedHosts } from './blocked-hosts.ts'
import { canonicalize } from './canonical.ts'
import {
  createDirectoryConfig,
  createServerConfig,
  type DirectoryConfig,
  mergeDirectoryConfig,
  mergeServerConfig,
  type ServerConfig,
} from './config.ts'
import { detectForward } from './detect.ts'
import { DirectHosts } from './direct-hosts.ts'
import { mappingDirectives } from './directives/mapping.ts'
import { sectionDirectives } from './directives/sections.ts'
import { serverDirectives } from './directives/servers.ts'
import { ProxyHandler } from './handler.ts'
import { openProxyRule } from './lint-open-proxy.ts'
import { type MapParts, mapToBackend } from './map.ts'
import { memberMetrics } from './member-metrics.ts'
import { mergeProxySections } from './merge-sections.ts'
import type { PassingConfig } from './passing.ts'
import type { PassingPlan } from './passing-plan.ts'
import { PublishedFigures } from './published-figures.ts'
import { statusSection } from './status-section.ts'
import { workerMetrics } from './worker-metrics.ts'
import type { Balancer, OpenRecord } from './workers/balancer.ts'
import { workersOf } from './workers/server-workers.ts'
import type { Worker } from './workers/worker.ts'

const REWRITE = { after: ['mod_rewrite.c'] } as const

const proxy: Module<DirectoryConfig, ServerConfig> = defineModule<DirectoryConfig, ServerConfig>({
  name: 'proxy_module',
  source: 'mod_proxy.c',
  perDirectory: { create: createDirectoryConfig, merge: mergeDirectoryConfig },
  perServer: { create: createServerConfig, merge: mergeServerConfig },
  directives: { ...sectionDirectives, ...mappingDirectives, ...serverDirectives },
  register(host) {
    const { hooks, functions, providers, log } = host
    const schemes = providers.proxySchemes
    const plans = host.requestSlot<PassingPlan>()
    const none = createServerConfig()
    const noSections: DirectoryConfig = { mappings: [], reverse: [], cookiePaths: [], cookieDomains: [] }
    const serverConfigOf = (request: Request): Readonly<ServerConfig> => host.serverConfigOf(request.server) ?? none
    const directoryConfigOf = (request: Request): Readonly<DirectoryConfig> => host.configOf(request) ?? noSections
    const timeoutOf = (server: Server): number | undefined => (host.serverConfigOf(server) ?? none).timeout
    const main = { server: null as Request['server'] | null }
    const start = { checkOnly: false }
    hooks.checkConfig.add(({ servers }) => {
      main.server = servers[0]
    })
    const blockedHosts = new BlockedHosts(host.services)
    const directHosts = new DirectHosts(host.services)
    hooks.postConfig.add(async ({ checkOnly, servers }) => {
      if (!checkOnly) for (const server of servers) await blockedHosts.resolve(host.serverConfigOf(server) ?? none)
    })
    hooks.postConfig.add(({ checkOnly, servers }) => {
      start.checkOnly = checkOnly
      const methods = (): readonly string[] => providers.proxyBalancerMethods.names()
      const slots = functions.get(sharedSlots)
      if (slots === undefined) return
      for (const [index, server] of servers.entries()) {
        const open: OpenRecord = (name, shape) => slots(`mod_proxy.c/${index}/${name}`, shape)
        const persists = host.serverConfigOf(server)?.persistsBalancers === true
        for (const balancer of workersOf(server).balancers) balancer.share(open, methods, persists)
      }
    })
    const balancersFor = (server: Server): readonly Balancer[] => {
      const own = workersOf(server).balancers
      if (main.server === null || main.server === server) return own
      return host.serverConfigOf(server)?.inheritsBalancers === false ? own : [...workersOf(main.server).balancers, ...own]
    }
    functions.offer(balancersOf, balancersFor)
    host.optionalHooks.add(extendStatus, (request, form) => {
      const { status } = serverConfigOf(request)
      return status === undefined || status === 'off' ? '' : statusSection(balancersFor(request.server), form, status === 'full')
    })
    const published = new PublishedFigures(host.services, schemes)
    const isShown = ({ status }: Readonly<ServerConfig>): boolean => status === 'on' || status === 'full'
    hooks.postConfig.add(({ checkOnly, servers }) => {
      if (checkOnly || !servers.some((server) => isShown(host.serverConfigOf(server) ?? none))) return
      for (const [index, server] of servers.entries()) {
        for (const [number, worker] of allWorkers(server).entries()) published.add(worker, `${index}/${number}`)
      }
    })
    hooks.childInit.add(() => published.start())
    host.onEnd(() => published.end())
    host.optionalHooks.add(extendMetrics, (request) => {
      if (!isShown(serverConfigOf(request))) return []
      published.publish()
      const servers = main.server === null || main.server === request.server ? [request.server] : [main.server, request.server]
      return [...memberMetrics(balancersFor(request.server)), ...workerMetrics(servers.flatMap(allWorkers), published)]
    })
    const configOf = (request: Request): PassingConfig => {
      const own = workersOf(request.server)
      const workers = main.server === null || main.server === request.server ? [own] : [workersOf(main.server), own]
      return {
        server: serverConfigOf(request),
        directory: directoryConfigOf(request),
        workers,
        blockedHosts,
        directHosts,
        log,
        timeoutOf,
      }
    }
    const handler = new ProxyHandler({
      schemes,
      functions,
      log,
      configOf,
      planOf: (request) => plans.get(request),
      checkOnly: () => start.checkOnly,
    })
    const mapParts: { -readonly [K in keyof MapParts]: MapParts[K] } = {
      log,
      accepts: null,
      keep: (request, plan) => plans.set(request, plan),
    }
    hooks.postConfig.add(() => {
      const isSelective = schemes.names().some((name) => schemes.get(name)?.accepts !== undefined)
      mapParts.accepts = isSelective ? (request, url) => schemes.get(schemeOfUrl(url))?.accepts?.(request) !== false : null
    })
    functions.offer(proxyServes, () => true)
    providers.lintRules.add('PROXY001', openProxyRule(functions))

    hooks.postReadRequest.add((request) => detectForward(request, serverConfigOf(request), functions), { rank: 'first' })
    hooks.preTranslateName.add((request) => mapToBackend(request, directoryConfigOf(request), 'encoded', mapParts))
    hooks.translateName.add((request) => mapToBackend(request, directoryConfigOf(request), 'decoded', mapParts), {
      ...REWRITE,
      rank: 'first',
    })
    hooks.mapToStorage.add((request) => mergeProxySections(request, serverConfigOf(request)), { rank: 'first' })
    hooks.fixups.add(
      (request) =>
        request.proxyRequest !== null && request.filename.startsWith('proxy:') && request.method !== 'CONNECT'
          ? canonicalize(request, schemes)
          : request.proxyRequest === null
            ? DECLINED
            : OK,
      // Results of rules in folders become canonical as well.
      { rank: 'first', after: ['mod_rewrite.c'] },
    )
    hooks.handler.add((request) => handler.handle(request), { rank: 'first' })
  },
})
export default proxy

/** The workers that the lines of a server define, members of balancers included. */
function allWorkers(server: Server): readonly Worker[] {
  const { workers, balancers } = workersOf(server)
  return [...workers, ...balancers.flatMap(({ members }) => members)]
}

function schemeOfUrl(url: string): string {
  return url.slice(0, url.indexOf(':')).toLowerCase()
}
