import { contexts, type DirectiveTable, directive } from '@gatewright/api'
import { type ForwardConfig, LONGEST_CACHE } from './config.ts'

const FIELD_NAME = /^[!#$%&'*+.^`|~\w-]+$/
/** Fields that connect client, server and body: to replace them would change which request it is. */
const NOT_COPIED =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|x-forwarded-.*|forwarded|cookie)$/i

const common = { scope: 'directory', context: contexts.inSections, override: 'AuthConfig' } as const

export const directives: DirectiveTable<ForwardConfig, undefined> = {
  AuthForwardURL: directive.take1({
    ...common,
    // A .htaccess file must not send the passwords and cookies of its visitors elsewhere.
    context: ['directory'],
    help: 'http:// or https:// URL of the service that authenticates requests',
    set: (config: ForwardConfig, word) => {
      const url = URL.parse(word)
      if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
        return `AuthForwardURL: '${word}' is not a URL that begins with http:// or https://`
      }
      if (url.username !== '' || url.password !== '' || url.hash !== '') {
        return 'AuthForwardURL must not contain a user, a password or a fragment'
      }
      config.url = url
      return undefined
    },
  }),
  AuthForwardCopy: directive.iterate({
    ...common,
    help: "fields of the service's answer that replace those of the client's request",
    set: (config: ForwardConfig, word) => {
      if (!FIELD_NAME.test(word)) return `AuthForwardCopy: '${word}' is not the name of a field`
      if (NOT_COPIED.test(word)) return `AuthForwardCopy: ${word} cannot be copied, because it determines the request itself`
      config.copy = [...(config.copy ?? []), word]
      return undefined
    },
  }),
  AuthForwardUser: directive.take1({
    ...common,
    help: "the field of the service's answer with the name of the user",
    set: (config: ForwardConfig, word) => {
      if (!FIELD_NAME.test(word)) return `AuthForwardUser: '${word}' is not the name of a field`
      config.userField = word
      return undefined
    },
  }),
  AuthForwardTimeout: directive.take1({
    ...common,
    context: ['directory'],
    help: 'seconds within which the service must have answered',
    set: (config: ForwardConfig, word) => {
      const seconds = /^\d{1,3}(?:\.\d{1,3})?$/.test(word) ? Number(word) : 0
      if (seconds < 0.1 || seconds > 300) return 'AuthForwardTimeout must be from 0.1 to 300 seconds'
      config.timeout = seconds * 1_000
      return undefined
    },
  }),
  AuthForwardCache: directive.take1({
    ...common,
    context: ['directory'],
    help: 'seconds for which a grant to the same request is remembered; 0 for none',
    set: (config: ForwardConfig, word) => {
      const seconds = /^\d{1,2}$/.test(word) ? Number(word) : -1
      if (seconds < 0 || seconds * 1_000 > LONGEST_CACHE) return 'AuthForwardCache must be from 0 to 60 seconds'
      config.cache = seconds * 1_000
      return undefined
    },
  }),
}
