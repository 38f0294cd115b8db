import { claimSources, defineModule, type Module } from '@gatewright/api'
import { addRequireClaim } from '@gatewright/tokens'
import { BearerAuthentication } from './bearer-authentication.ts'
import { type BearerConfig, mergeBearer } from './config.ts'
import { directives } from './directives.ts'
import { addLintRules } from './lint.ts'

/** AuthType Bearer: authenticates by tokens of an issuer. Not a module of httpd. */
const authBearer: Module<BearerConfig> = defineModule<BearerConfig>({
  name: 'auth_bearer_module',
  source: 'mod_auth_bearer.c',
  capabilities: ['net'],
  perDirectory: { create: () => ({}), merge: mergeBearer },
  directives,
  register(host) {
    const authentication = new BearerAuthentication(host)
    addLintRules(host)
    host.hooks.checkUserId.add((request) => authentication.checkUser(request), { decidesBy: 'configuration' })
    host.hooks.noteAuthFailure.add((request, type) => authentication.challenge(request, type))
    host.providers.of(claimSources).add('Bearer', { form: 'values', claims: (request) => authentication.claimsOf(request) })
    addRequireClaim(host)
  },
})
export default authBearer
