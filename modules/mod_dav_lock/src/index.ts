import { contexts, defineModule, directive, type Module } from '@gatewright/api'

/** The lock database for repositories without their own one: that of files has one, so this directive changes nothing. */
const davLock: Module<undefined, Record<string, never>> = defineModule<undefined, Record<string, never>>({
  name: 'dav_lock_module',
  source: 'mod_dav_lock.c',
  perServer: { create: () => ({}) },
  directives: {
    DAVGenericLockDB: directive.take1<Record<string, never>>({
      scope: 'server',
      context: contexts.inServers,
      help: 'specify a lock database',
      effect: 'none',
      set: () => undefined,
    }),
  },
})
export default davLock
