import { contexts, DECLINED, defineModule, directive, type Module, type StartContext } from '@gatewright/api'
import {
  type HeartbeatAddress,
  heartbeatAddress,
  heartbeatServers,
  resolvedHeartbeatAddress,
  sharedSlots,
} from '@gatewright/api/peers'
import { leadingInteger } from '@gatewright/api/text'
import { type HeardServers, MOST_SERVERS } from './heard-servers.ts'
import { listen } from './listener.ts'
import { ServerFile } from './server-file.ts'
import { ServerSlots } from './server-slots.ts'
import { takePosted } from './take-posted.ts'

interface MonitorConfig {
  listen?: HeartbeatAddress
  /** HeartbeatStorage, as written. */
  storage?: string
  /** Servers in shared records; 0 for a file. */
  maxServers?: number
}

const PROBLEMS = {
  unreadable: 'HeartbeatListen: Unable to parse multicast address.',
  'no host': 'HeartbeatListen: No host provided in multicast address',
  'no port': 'HeartbeatListen: No port provided in multicast address',
} as const

const NO_ADDRESS = 'HeartbeatListen: apr_sockaddr_info_get failed on multicast address'
const FEWEST_SERVERS = 10
const WRONG_NUMBER = 'HeartbeatMaxServers: Should be 0 for file storage, or greater or equal than 10 for slotmem'

/** Listens for the messages of mod_heartbeat, for mod_lbmethod_heartbeat. */
const heartmonitor: Module<undefined, MonitorConfig> = defineModule<undefined, MonitorConfig>({
  name: 'heartmonitor_module',
  source: 'mod_heartmonitor.c',
  capabilities: ['fs', 'net'],
  perServer: {
    create: () => ({}),
    merge: (base, over) => ({
      listen: over.listen ?? base.listen,
      storage: over.storage ?? base.storage,
      maxServers: over.maxServers ?? base.maxServers,
    }),
  },
  directives: {
    HeartbeatListen: directive.take1<MonitorConfig>({
      scope: 'server',
      context: contexts.mainServer,
      help: 'Address to listen for heartbeat requests',
      set: (config, text) => {
        if (config.listen !== undefined) return 'HeartbeatListen: May only be specified once.'
        const address = heartbeatAddress(text)
        if (typeof address === 'string') return PROBLEMS[address]
        if (/[^\w.-]/.test(address.host)) return NO_ADDRESS
        config.listen = address
        return undefined
      },
    }),
    HeartbeatStorage: directive.take1<MonitorConfig>({
      scope: 'server',
      context: contexts.mainServer,
      help: 'Path to store heartbeat data.',
      set: (config, path) => void (config.storage = path),
    }),
    HeartbeatMaxServers: directive.take1<MonitorConfig>({
      scope: 'server',
      context: contexts.mainServer,
      help: 'Max number of servers when using slotmem (instead file) to store heartbeat data.',
      set: (config, text) => {
        const number = leadingInteger(text)
        if (number !== 0 && (number < FEWEST_SERVERS || number > MOST_SERVERS)) return WRONG_NUMBER
        config.maxServers = number
        return undefined
      },
    }),
  },
  register({ functions, hooks, serverConfigOf, services, log }) {
    let group: HeartbeatAddress | null = null
    let heard: HeardServers | null = null
    hooks.postConfig.add(async ({ servers, runtimeRelative, checkOnly }: StartContext) => {
      const config = serverConfigOf(servers[0])
      const most = config.maxServers ?? FEWEST_SERVERS
      if (checkOnly) return undefined
      if (most === 0) heard = new ServerFile(runtimeRelative(config.storage ?? 'hb.dat'), log)
      else {
        const slots = functions.get(sharedSlots)
        if (slots === undefined) {
          const text = "failed to lookup provider 'shm' for 'slotmem', maybe you need to load mod_slotmem_shm?"
          log.write(null, 'emerg', 'AH02284', text)
          return text
        }
        heard = new ServerSlots(most, (name, shape) => slots(`mod_heartmonitor.c/${name}`, shape))
      }
      if (config.listen === undefined) return undefined
      group = await resolvedHeartbeatAddress(config.listen, services)
      return group === null ? NO_ADDRESS : undefined
    })
    functions.offer(heartbeatServers, () => heard?.known() ?? null)
    services.inOneProcess(() => (group === null || heard === null ? () => undefined : listen(group, heard, log)))
    hooks.handler.add((request) =>
      request.handler === 'heartbeat' ? takePosted(request, group === null ? null : heard, log) : DECLINED,
    )
  },
})
export default heartmonitor
