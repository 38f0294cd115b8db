import { DECLINED, defineModule, type Module } from '@gatewright/api'
import { type AuthRequestConfig, mergeConfig } from './config.ts'
import { directives } from './directives.ts'
import { Endpoint } from './endpoint.ts'
import { addLintRules } from './lint.ts'

/** The value of SetHandler. */
const HANDLER = 'auth-request'

/** `SetHandler auth-request`: decides for other servers about requests that they received. Not a module of httpd. */
const authRequest: Module<AuthRequestConfig> = defineModule<AuthRequestConfig>({
  name: 'auth_request_module',
  source: 'mod_auth_request.c',
  perDirectory: { create: () => ({}), merge: mergeConfig },
  directives,
  register(host) {
    const endpoint = new Endpoint(host)
    addLintRules(host)
    host.hooks.handler.add((request) => (request.handler === HANDLER ? endpoint.answer(request) : DECLINED))
  },
})
export default authRequest
