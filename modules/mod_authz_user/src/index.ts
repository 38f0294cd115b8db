import { type AuthzProvider, defineModule, type Module, type ModuleLog, requireWords } from '@gatewright/api'

const authzUser: Module = defineModule({
  name: 'authz_user_module',
  source: 'mod_authz_user.c',
  register({ providers, log }) {
    providers.authz.add('user', userProvider(log))
    providers.authz.add('valid-user', validUserProvider)
  },
})

/** `Require user NAME...`: exactly one of the names. */
function userProvider(log: ModuleLog): AuthzProvider {
  return {
    decidesBy: 'configuration',
    parse(argument, command) {
      const words = requireWords(argument, command, { log, subject: 'authz_user authorize: require user', code: 'AH02594' })
      if (typeof words === 'string') return words
      return (request) => {
        const { user } = request
        if (user === null) return 'denied-no-user'
        const names = words.of(request)
        if (names === undefined) return 'denied'
        if (names.includes(user)) return 'granted'
        if (log.enabled(request, 'debug')) {
          const reason = `user '${user}' does not meet 'require'ments for user to be allowed access`
          log.write(request, 'debug', 'AH01663', `access to ${request.uri} failed, reason: ${reason}`)
        }
        return 'denied'
      }
    },
  }
}

/** `Require valid-user`: any authenticated user. */
const validUserProvider: AuthzProvider = {
  decidesBy: 'configuration',
  parse: () => (request) => (request.user === null ? 'denied-no-user' : 'granted'),
}

export default authzUser
