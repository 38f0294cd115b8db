import { defineModule, directive, type Module } from '@gatewright/api'

/** The lock database for repositories without their own one: that of files has one, so this directive changes nothing. */
const davLock: Module<Record<string, never>> = defineModule<Record<string, never>>({
  name: 'dav_lock_module',
  source: 'mod_dav_lock.c',
  perDirectory: { create: () => ({}), merge: (_, added) => added },
  directives: {
    DAVGenericLockDB: directive.take1<Record<string, never>>({
      scope: 'directory',
      context: ['directory'],
      help: 'specify a lock database',
      effect: 'none',
      set: () => undefined,
    }),
  },
})
export default davLock
