import { defineModule, type Module, processOwner, type Server } from '@gatewright/api'
import { createUnixdConfig, mergeUnixdConfig, type UnixdConfig } from './config.ts'
import { directives } from './directives.ts'

const unixd: Module<undefined, UnixdConfig> = defineModule({
  name: 'unixd_module',
  source: 'mod_unixd.c',
  capabilities: ['fs'],
  perServer: { create: createUnixdConfig, merge: mergeUnixdConfig },
  directives,
  register({ hooks, functions, serverConfigOf }) {
    let main: Server | undefined
    // Only the main server has values, because the directives are rejected inside <VirtualHost>.
    hooks.preConfig.add(({ servers }) => {
      main = servers[0]
    })
    functions.offer(processOwner, () => {
      const { user, group } = main === undefined ? createUnixdConfig() : serverConfigOf(main)
      return { user: user ?? UNSET_OWNER, group: group ?? UNSET_OWNER }
    })
  },
})
export default unixd

/** httpd's value of a missing User or Group. */
const UNSET_OWNER = '#-1'
