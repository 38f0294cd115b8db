import { contexts, defineModule, directive, type LogTarget, type Module, type Request, type Server } from '@gatewright/api'
import { observeDecision } from '@gatewright/api/peers'
import { DecisionNotes } from '@gatewright/api/tracing'
import { auditLine, decisionOf } from './audit-line.ts'
import { type AuditConfig, readAudit } from './config.ts'
import { addLintRules } from './lint.ts'

/** Writes a line about each access decision. Not a module of httpd. */
const authzAudit: Module<undefined, AuditConfig> = defineModule<undefined, AuditConfig>({
  name: 'authz_audit_module',
  source: 'mod_authz_audit.c',
  perServer: { create: () => ({}), merge: (base, over) => ({ log: over.log === undefined ? base.log : over.log }) },
  directives: {
    AuthzAuditLog: directive.argv({
      scope: 'server',
      context: contexts.inServers,
      help: 'file or |program for a line of JSON about each access decision, with all or refusals and sample=N; or off',
      set: (config: AuditConfig, words, command) => {
        const log = readAudit(words, command)
        if (typeof log === 'string') return log
        config.log = log
        return undefined
      },
    }),
  },
  register(host) {
    const { hooks, optionalHooks, serverConfigOf, services, requestSlot } = host
    const targets = new Map<Server, LogTarget>()
    const notes = requestSlot<DecisionNotes>()
    let granted = 0
    addLintRules(host)

    // Programs start before everything else, files are opened with the other logs.
    hooks.checkConfig.add(({ servers }) => {
      for (const server of servers) {
        const { log } = serverConfigOf(server)
        if (log?.target.startsWith('|') === true) targets.set(server, services.openLog(log.target, server))
      }
    })
    hooks.openLogs.add(({ servers }) => {
      for (const server of servers) {
        const { log } = serverConfigOf(server)
        if (log !== undefined && log !== null && !targets.has(server)) targets.set(server, services.openLog(log.target, server))
      }
    })

    const write = (request: Request, noted: DecisionNotes): void => {
      const { log } = serverConfigOf(request.server)
      const target = targets.get(request.server)
      if (log === undefined || log === null || target === undefined) return
      const decision = decisionOf(request, noted)
      if (decision === 'granted' && (log.what === 'refusals' || granted++ % log.sample !== 0)) return
      target.write(auditLine(request, noted, decision, decision === 'granted' ? log.sample : 1, Date.now()))
    }
    optionalHooks.add(observeDecision, (request) => {
      // Sub-requests are decided for the request of the client; an explanation writes no log.
      if (request.main !== null || request.tracer !== null || !targets.has(request.server)) return null
      const known = notes.get(request)
      if (known !== undefined) return known
      const made = new DecisionNotes()
      notes.set(request, made)
      request.onDone(() => write(request, made))
      return made
    })
  },
})
export default authzAudit
