import {
  contexts,
  defineModule,
  directive,
  HTTP_INTERNAL_SERVER_ERROR,
  type Module,
  OK,
  type Request,
  type Text,
} from '@gatewright/api'
import { authNameOf, authTypeOf } from '@gatewright/api/peers'
import { authText, authValue } from './auth-text.ts'
import { addProviderAlias } from './provider-alias.ts'

interface AuthnConfig {
  type?: Text
  name?: Text
}

const authnCore: Module<AuthnConfig> = defineModule({
  name: 'authn_core_module',
  source: 'mod_authn_core.c',
  perDirectory: {
    create: () => ({}),
    merge: (base, over) => ({ type: over.type ?? base.type, name: over.name ?? base.name }),
  },
  directives: {
    AuthType: directive.take1({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'authentication type of users, such as Basic, or None',
      set: (config: AuthnConfig, word, command) => {
        const text = authText(word, command)
        if (typeof text === 'string') return text
        config.type = text
        return undefined
      },
    }),
    AuthName: directive.take1({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'realm of the login',
      set: (config: AuthnConfig, word, command) => {
        const text = authText(word, command)
        if (typeof text === 'string') return text
        config.name = text
        return undefined
      },
    }),
    '<AuthnProviderAlias': directive.section({
      scope: 'server',
      context: contexts.mainServer,
      help: 'defines an authentication provider with its own directives under a new name',
      set: addProviderAlias,
    }),
  },
  register(host) {
    const { hooks, functions, log, configOf } = host

    /** AuthType None, in any case, counts as no type. */
    const typeOf = (request: Request): string | null => {
      const { type } = configOf(request)
      const value = type === undefined ? null : authValue(type, request, log, 'AuthType')
      return value === null || isNone(value) ? null : value
    }
    functions.offer(authTypeOf, typeOf)
    functions.offer(authNameOf, (request) => {
      const { name } = configOf(request)
      return name === undefined ? null : authValue(name, request, log, 'AuthName')
    })

    // Called only if no module handles the type. Without a type no user is authenticated; core reports an
    // error if one is required.
    hooks.checkUserId.add(
      (request) => {
        const type = typeOf(request)
        if (type === null) return OK
        log.write(request, 'error', 'AH01796', `AuthType ${type} configured without corresponding module`)
        return HTTP_INTERNAL_SERVER_ERROR
      },
      { rank: 'last', decidesBy: 'configuration' },
    )
  },
})

function isNone(value: string): boolean {
  return value.length === 4 && value.toLowerCase() === 'none'
}

export default authnCore
