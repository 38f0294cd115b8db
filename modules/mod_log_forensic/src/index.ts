import { contexts, DECLINED, defineModule, directive, type Module } from '@gatewright/api'
import { ForensicLogs } from './forensic-logs.ts'

export interface ForensicServer {
  /** As written: a file, or a program after a `|`. */
  target?: string
}

/** Logs each request before it is processed and again afterwards. */
const logForensic: Module<undefined, ForensicServer> = defineModule({
  name: 'log_forensic_module',
  source: 'mod_log_forensic.c',
  perServer: { create: () => ({}), merge: (base, over) => ({ target: over.target ?? base.target }) },
  directives: {
    ForensicLog: directive.take1<ForensicServer>({
      scope: 'server',
      context: contexts.inServers,
      help: 'the filename of the forensic log',
      set: (config, target) => {
        config.target = target
      },
    }),
  },
  register(host) {
    const { hooks } = host
    const logs = new ForensicLogs(host)
    hooks.checkConfig.add(({ servers }) => logs.openPrograms(servers))
    hooks.openLogs.add(({ servers, checkOnly }) => (checkOnly ? undefined : logs.open(servers)))
    hooks.postReadRequest.add(
      (request) => {
        if (request.prev === null) logs.begin(request)
        return DECLINED
      },
      { rank: 'really-first', after: ['mod_unique_id.c'] },
    )
    hooks.logTransaction.add((request) => logs.end(request), { rank: 'really-last' })
  },
})
export default logForensic
