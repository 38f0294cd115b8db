import { defineModule, type Module } from '@gatewright/api'
import { loadSession, saveSession } from '@gatewright/api/peers'
import { mergeConfig, type SessionDbdConfig } from './config.ts'
import { directives } from './directives.ts'
import { SessionTable } from './session-table.ts'
import { DatabaseSessions } from './store.ts'

const sessionDbd: Module<SessionDbdConfig> = defineModule<SessionDbdConfig>({
  name: 'session_dbd_module',
  source: 'mod_session_dbd.c',
  perDirectory: { create: () => ({}), merge: mergeConfig },
  directives,
  register(host) {
    const sessions = new DatabaseSessions(host, new SessionTable(host))
    host.optionalHooks.add(loadSession, (request) => sessions.load(request))
    host.optionalHooks.add(saveSession, (request, session) => sessions.save(request, session))
  },
})
export default sessionDbd
