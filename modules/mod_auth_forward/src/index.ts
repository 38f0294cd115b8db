import { DECLINED, defineModule, type Module, OK } from '@gatewright/api'
import { authTypeOf } from '@gatewright/api/peers'
import { type ForwardConfig, mergeForward } from './config.ts'
import { directives } from './directives.ts'
import { ForwardAuthentication } from './forward-authentication.ts'
import { IdentityFields } from './identity-fields.ts'
import { addLintRules } from './lint.ts'

/** AuthType Forward: authenticates by a service such as Authelia or oauth2-proxy. Not a module of httpd. */
const authForward: Module<ForwardConfig> = defineModule<ForwardConfig>({
  name: 'auth_forward_module',
  source: 'mod_auth_forward.c',
  capabilities: ['net'],
  perDirectory: { create: () => ({}), merge: mergeForward },
  directives,
  register(host) {
    const identity = new IdentityFields()
    const authentication = new ForwardAuthentication(host, identity)
    addLintRules(host)
    // Wherever the configuration of a request is known, also of sub-requests and where access is granted to everybody.
    host.hooks.postPerdirConfig.add(
      (request) => {
        const { copy } = host.configOf(request)
        if (copy !== undefined) identity.clean(request, copy)
        return DECLINED
      },
      { rank: 'really-first' },
    )
    host.hooks.checkUserId.add((request) => authentication.checkUser(request), { decidesBy: 'configuration' })
    // The service has sent the challenge.
    host.hooks.noteAuthFailure.add((_request, type) => (type.toLowerCase() === 'forward' ? OK : DECLINED))
    host.providers.authz.add('forward', {
      decidesBy: 'configuration',
      parse: (argument) =>
        argument.trim() === ''
          ? (request) => {
              if (authentication.isGranted(request)) return 'granted'
              // Another kind of login must not count as one of the service.
              const type = host.functions.get(authTypeOf)?.(request) ?? ''
              return request.user === null && type.toLowerCase() === 'forward' ? 'denied-no-user' : 'denied'
            }
          : 'Require forward has no arguments',
    })
  },
})
export default authForward
