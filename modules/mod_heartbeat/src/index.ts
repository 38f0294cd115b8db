import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { type HeartbeatAddress, heartbeatAddress, resolvedHeartbeatAddress } from '@gatewright/api/peers'
import { sendHeartbeats } from './sender.ts'

interface HeartbeatConfig {
  address?: HeartbeatAddress
}

const PROBLEMS = {
  unreadable: 'HeartbeatAddress: Unable to parse address.',
  'no host': 'HeartbeatAddress: No host provided in address',
  'no port': 'HeartbeatAddress: No port provided in address',
} as const

const NO_ADDRESS = 'HeartbeatAddress: apr_sockaddr_info_get failed.'

/** Sends the numbers of free and of busy places once a second, for mod_heartmonitor. */
const heartbeat: Module<undefined, HeartbeatConfig> = defineModule<undefined, HeartbeatConfig>({
  name: 'heartbeat_module',
  source: 'mod_heartbeat.c',
  capabilities: ['net'],
  perServer: { create: () => ({}), merge: (base, over) => ({ address: over.address ?? base.address }) },
  directives: {
    HeartbeatAddress: directive.take1<HeartbeatConfig>({
      scope: 'server',
      context: contexts.mainServer,
      help: 'Address to send heartbeat requests',
      set: (config, text) => {
        if (config.address !== undefined) return 'HeartbeatAddress: May only be specified once.'
        const address = heartbeatAddress(text)
        if (typeof address === 'string') return PROBLEMS[address]
        if (/[^\w.-]/.test(address.host)) return NO_ADDRESS
        config.address = address
        return undefined
      },
    }),
  },
  register({ hooks, serverConfigOf, services, log }) {
    let target: HeartbeatAddress | null = null
    hooks.postConfig.add(async ({ servers, checkOnly }) => {
      const { address } = serverConfigOf(servers[0])
      if (address === undefined || checkOnly) return undefined
      target = await resolvedHeartbeatAddress(address, services)
      return target === null ? NO_ADDRESS : undefined
    })
    services.inOneProcess(() => (target === null ? () => undefined : sendHeartbeats(target, services, log)))
  },
})
export default heartbeat
