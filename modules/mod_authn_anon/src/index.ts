import { defineModule, type Module } from '@gatewright/api'
import { type AnonConfig, createAnonConfig } from './config.ts'
import { directives } from './directives.ts'
import { checkVisitor } from './visitors.ts'

const authnAnon: Module<AnonConfig> = defineModule({
  name: 'authn_anon_module',
  source: 'mod_authn_anon.c',
  perDirectory: { create: createAnonConfig },
  directives,
  register({ providers, log, configOf }) {
    providers.authn.add('anon', {
      decidesBy: 'configuration',
      checkPassword(request, user, password) {
        const config = configOf(request)
        const status = checkVisitor(config, user, password)
        if (status === 'granted' && config.logEmail && request.main === null && request.prev === null) {
          log.write(request, 'info', 'AH01672', `Anonymous: Passwd <${password}> Accepted`)
        }
        return status
      },
      userNames: (request) => [...(configOf(request).users ?? [])],
    })
  },
})

export default authnAnon
