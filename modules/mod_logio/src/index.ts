import { contexts, defineModule, directive, type Module, registerLogItem } from '@gatewright/api'
import { addItems } from './items.ts'

export interface LogioConfig {
  /** Whether `%^FB` is recorded. */
  trackFirstByte?: boolean
}

const logio: Module<LogioConfig> = defineModule({
  name: 'logio_module',
  source: 'mod_logio.c',
  perDirectory: { create: () => ({}), merge: (base, over) => ({ trackFirstByte: over.trackFirstByte ?? base.trackFirstByte }) },
  directives: {
    LogIOTrackTTFB: directive.flag({
      scope: 'directory',
      context: contexts.anywhere,
      override: 'All',
      help: 'whether %^FB in an access log records the time to the first byte',
      set: (config, on) => {
        config.trackFirstByte = on
      },
    }),
  },
  register({ hooks, functions, configOf }) {
    // All modules are registered at this time, in any order. Without mod_log_config there are no items to
    // add.
    hooks.preConfig.add(() => {
      const register = functions.get(registerLogItem)
      if (register !== undefined) addItems(register, functions, (request) => configOf(request).trackFirstByte === true)
    })
  },
})
export default logio
