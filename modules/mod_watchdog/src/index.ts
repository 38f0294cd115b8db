import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { intervalOf } from './interval.ts'

/** Per-server configuration. */
export interface WatchdogConfig {
  /** Milliseconds; undefined for httpd's default of one second. */
  interval?: number
}

/** This server has no watchdog. The directive is checked and stored, so that configurations load. */
const watchdog: Module<undefined, WatchdogConfig> = defineModule({
  name: 'watchdog_module',
  source: 'mod_watchdog.c',
  perServer: { create: () => ({}), merge: (base, over) => ({ interval: over.interval ?? base.interval }) },
  directives: {
    WatchdogInterval: directive.take1({
      scope: 'server',
      context: contexts.mainServer,
      help: 'time between two runs of the watchdog, in seconds by default',
      set: (config, text) => {
        const interval = intervalOf(text)
        if (interval === undefined) return 'Unparse-able WatchdogInterval setting'
        if (interval < 100) return 'Invalid WatchdogInterval: minimal value 100ms'
        config.interval = interval
        return undefined
      },
    }),
  },
})
export default watchdog
