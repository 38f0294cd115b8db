import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { heartbeatServers, sharedSlots } from '@gatewright/api/peers'
import { electByHeartbeat } from './elect.ts'
import { type KnownServer, knownServers, serversInFile } from './known-servers.ts'

/** It decides where the servers are. */
const AFTER_MONITOR = { after: ['mod_heartmonitor.c'] } as const

interface HeartbeatConfig {
  /** HeartbeatStorage, as written. */
  storage?: string
}

/** The method `heartbeat` of balancers: members that have most free places serve most. */
const lbmethodHeartbeat: Module<undefined, HeartbeatConfig> = defineModule<undefined, HeartbeatConfig>({
  name: 'lbmethod_heartbeat_module',
  source: 'mod_lbmethod_heartbeat.c',
  capabilities: ['fs'],
  perServer: { create: () => ({}), merge: (base, over) => ({ storage: over.storage ?? base.storage }) },
  directives: {
    HeartbeatStorage: directive.take1<HeartbeatConfig>({
      scope: 'server',
      context: contexts.mainServer,
      help: 'Path to read heartbeat data.',
      set: (config, path) => void (config.storage = path),
    }),
  },
  register({ functions, hooks, providers, serverConfigOf, services, log }) {
    let path = ''
    let serversOfFile: () => ReadonlyMap<string, KnownServer> = () => new Map()
    hooks.postConfig.add(({ servers, runtimeRelative, checkOnly, isFirst }) => {
      path = runtimeRelative(serverConfigOf(servers[0]).storage ?? 'hb.dat')
      const file = services.watchFile([path], () => serversInFile(path))
      serversOfFile = () => file.current()
      if (checkOnly || !isFirst) return undefined
      if (functions.get(sharedSlots) === undefined) {
        const text = "Failed to lookup provider 'shm' for 'slotmem'. Maybe you need to load mod_slotmem_shm?"
        log.write(null, 'notice', 'AH02281', text)
      } else if (functions.get(heartbeatServers)?.() == null) {
        log.write(null, 'notice', 'AH02282', 'No slotmem from mod_heartmonitor')
      } else log.write(null, 'notice', 'AH02283', 'Using slotmem from mod_heartmonitor')
      return undefined
    }, AFTER_MONITOR)
    const find = (): ReadonlyMap<string, KnownServer> => {
      const heard = functions.get(heartbeatServers)?.() ?? null
      return heard === null ? serversOfFile() : knownServers(heard)
    }
    providers.proxyBalancerMethods.add('heartbeat', {
      elect(balancer, request) {
        try {
          return electByHeartbeat(balancer, find(), Math.random, (member) => {
            if (!log.enabled(request, 'debug')) return
            log.write(request, 'debug', 'AH01214', `lb_heartbeat: No server for worker ${member.name}`)
          })
        } catch (error) {
          if (!(error instanceof Error)) throw error
          log.write(request, 'error', 'AH01213', `lb_heartbeat: Unable to read heartbeats at '${path}'`, error)
          return null
        }
      },
    })
  },
})
export default lbmethodHeartbeat
