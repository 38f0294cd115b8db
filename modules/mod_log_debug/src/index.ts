import { DECLINED, defineModule, type Module, type Request } from '@gatewright/api'
import { directives } from './directives.ts'
import { MessageLog } from './message-log.ts'
import { HOOKS_OF_MESSAGES, type LogDebugConfig, type MessageHook } from './messages.ts'

/** Writes messages to the error log at chosen phases of requests. */
const logDebug: Module<LogDebugConfig> = defineModule({
  name: 'log_debug_module',
  source: 'mod_log_debug.c',
  perDirectory: {
    create: () => ({ messages: [] }),
    merge: (base, over) => ({ messages: [...base.messages, ...over.messages] }),
  },
  directives,
  register({ hooks, configOf, log }) {
    const messages = new MessageLog(log)
    const write = (request: Request, hook: MessageHook): void => {
      const { messages: own } = configOf(request)
      if (own.length > 0) messages.write(request, own, hook)
    }
    const asker = (hook: MessageHook) => (request: Request) => {
      write(request, hook)
      return DECLINED
    }
    // Before core, which decides about the first hooks alone.
    const order = { rank: 'really-first', before: ['core.c'] } as const
    for (const [hook, host] of HOOKS_OF_MESSAGES) hooks[host].add(asker(hook), order)
    hooks.insertFilter.add((request) => write(request, 'insert_filter'), { rank: 'really-first' })
    hooks.logTransaction.add((request) => write(request, 'log_transaction'), { rank: 'really-first' })
  },
})
export default logDebug
