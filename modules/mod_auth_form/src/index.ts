import { defineModule, type Module } from '@gatewright/api'
import { sessionOf } from '@gatewright/api/peers'
import { type FormConfig, mergeFormConfig } from './config.ts'
import { directives } from './directives.ts'
import { FormAuthentication } from './form-authentication.ts'
import { LoginForms } from './form-login.ts'
import { FormSessions } from './form-session.ts'
import { FormHandlers } from './handlers.ts'
import { addLintRules } from './lint.ts'
import { PasswordCheck } from './password-check.ts'

const authForm: Module<FormConfig> = defineModule<FormConfig>({
  name: 'auth_form_module',
  source: 'mod_auth_form.c',
  perDirectory: { create: () => ({}), merge: mergeFormConfig },
  directives,
  register(host) {
    const { hooks, functions, log } = host
    const sessions = new FormSessions(host)
    const forms = new LoginForms(host, sessions)
    const passwords = new PasswordCheck(host)
    const authentication = new FormAuthentication(host, { sessions, forms, passwords })
    const handlers = new FormHandlers(host, { sessions, forms, passwords })
    hooks.checkUserId.add((request) => authentication.checkUser(request), { decidesBy: 'configuration' })
    hooks.handler.add((request) => handlers.handle(request))
    hooks.logTransaction.add((request) => handlers.hideStatus(request), { before: ['mod_log_config.c'] })
    hooks.postConfig.add(({ servers: [main] }) => {
      if (functions.get(sessionOf) !== undefined) return undefined
      log.write(main, 'error', 'AH02617', 'You must load mod_session to enable the mod_auth_form functions')
      return ''
    })
    addLintRules(host)
  },
})
export default authForm
