import { type Command, defineModule, type Module } from '@gatewright/api'
import { BearerAuthentication } from './bearer-authentication.ts'
import { claimValues } from './claims.ts'
import { type BearerConfig, mergeBearer } from './config.ts'
import { directives } from './directives.ts'
import { addLintRules } from './lint.ts'

/** AuthType Bearer: authenticates by tokens of an issuer. Not a module of httpd. */
const authBearer: Module<BearerConfig> = defineModule<BearerConfig>({
  name: 'auth_bearer_module',
  source: 'mod_auth_bearer.c',
  perDirectory: { create: () => ({}), merge: mergeBearer },
  directives,
  register(host) {
    const authentication = new BearerAuthentication(host)
    addLintRules(host)
    host.hooks.checkUserId.add((request) => authentication.checkUser(request), { decidesBy: 'configuration' })
    host.hooks.noteAuthFailure.add((request, type) => authentication.challenge(request, type))
    host.providers.authz.add('claim', {
      decidesBy: 'configuration',
      parse: (argument: string, command: Command) => {
        const [name, ...wanted] = command.words(argument)
        if (name === undefined || wanted.length === 0) return 'Require claim needs a claim and values: Require claim scope read'
        const values = new Set(wanted)
        return (request) => {
          const claims = authentication.claimsOf(request)
          if (claims === undefined) return request.user === null ? 'denied-no-user' : 'denied'
          return claimValues(claims, name).some((value) => values.has(value)) ? 'granted' : 'denied'
        }
      },
    })
  },
})
export default authBearer
