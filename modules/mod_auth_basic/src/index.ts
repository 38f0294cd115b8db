import { DECLINED, defineModule, type Module, noteBasicChallenge, OK } from '@gatewright/api'
import { authNameOf } from '@gatewright/api/peers'
import { BasicAuthentication, isBasic } from './check-user.ts'
import { type BasicConfig, mergeBasicConfig } from './config.ts'
import { directives } from './directives.ts'
import { fakeCredentials } from './fake.ts'

const authBasic: Module<BasicConfig> = defineModule({
  name: 'auth_basic_module',
  source: 'mod_auth_basic.c',
  perDirectory: { create: () => ({}), merge: mergeBasicConfig },
  directives,
  register(host) {
    const { hooks, functions, log, configOf } = host
    const authentication = new BasicAuthentication(host)
    hooks.checkUserId.add((request) => authentication.checkUser(request), { decidesBy: 'configuration' })
    hooks.noteAuthFailure.add((request, authType) => {
      if (!isBasic(authType)) return DECLINED
      noteBasicChallenge(request, functions.get(authNameOf)?.(request) ?? '')
      return OK
    })
    hooks.fixups.add(
      (request) => {
        const { fake } = configOf(request)
        return fake === undefined || fake === null ? DECLINED : fakeCredentials(request, fake, log)
      },
      { rank: 'last' },
    )
  },
})

export default authBasic
