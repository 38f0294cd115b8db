import { defineModule, directive, type Module, registerLogItem } from '@gatewright/api'
import { escapeLogItem, leadingInteger } from '@gatewright/api/text'
import { type IdentConfig, mergeIdentConfig } from './config.ts'
import { remoteUser } from './remote-user.ts'

/** In seconds. */
const DEFAULT_TIMEOUT = 30

/** Asks the machines of clients for the names of their users, for logs: RFC 1413. */
const ident: Module<IdentConfig> = defineModule({
  name: 'ident_module',
  source: 'mod_ident.c',
  capabilities: ['net'],
  perDirectory: { create: () => ({}), merge: mergeIdentConfig },
  directives: {
    IdentityCheck: directive.flag<IdentConfig>({
      scope: 'directory',
      context: ['server', 'virtualhost', 'directory'],
      help: 'Enable identd (RFC 1413) user lookups - SLOW',
      set: (config, on) => {
        config.enabled = on
      },
    }),
    IdentityCheckTimeout: directive.take1<IdentConfig>({
      scope: 'directory',
      context: ['server', 'virtualhost', 'directory'],
      help: 'Identity check (RFC 1413) timeout duration (sec)',
      set: (config, seconds) => {
        config.timeout = leadingInteger(seconds)
      },
    }),
  },
  register({ hooks, functions, configOf, connectionSlot, log }) {
    // One user has a connection, so one question is enough for all its requests.
    const users = connectionSlot<Promise<string>>()
    const names = connectionSlot<string>()
    hooks.fixupHeaders.add((request) => {
      const { enabled, timeout = DEFAULT_TIMEOUT } = configOf(request)
      const { connection } = request
      if (enabled !== true || names.get(connection) !== undefined) return undefined
      let user = users.get(connection)
      if (user === undefined) {
        user = remoteUser(connection, timeout * 1000, (text, error) => log.write(request, 'trace1', '', text, error))
        users.set(connection, user)
      }
      return user.then((name) => names.set(connection, name))
    })
    hooks.preConfig.add(() => {
      functions.get(registerLogItem)?.('l', () => (request) => {
        const name = configOf(request).enabled === true ? names.get(request.connection) : undefined
        return name === undefined ? null : escapeLogItem(name)
      })
    })
  },
})
export default ident
