import { type DirectiveTable, directive } from '@gatewright/api'
import { ALGORITHMS, KeySource } from '@gatewright/tokens'
import type { BearerConfig } from './config.ts'
import { Introspection } from './introspection.ts'

/** Sections of the server's files only: a .htaccess file must not choose whose tokens are believed. */
const common = { scope: 'directory', context: ['directory'] } as const

export const directives: DirectiveTable<BearerConfig, undefined> = {
  AuthBearerAlgorithms: directive.iterate({
    ...common,
    help: 'algorithms of signatures that are accepted, such as ES256',
    set: (config: BearerConfig, word) => {
      if (!ALGORITHMS.includes(word)) return `AuthBearerAlgorithms: '${word}' is not one of ${ALGORITHMS.join(', ')}`
      config.algorithms = [...(config.algorithms ?? []), word]
      return undefined
    },
  }),
  AuthBearerKeys: directive.take1({
    ...common,
    help: "https:// URL of the issuer's public keys, a JSON Web Key Set",
    set: (config: BearerConfig, word) => {
      const url = securedUrl('AuthBearerKeys', word)
      if (typeof url === 'string') return url
      config.keys = new KeySource(url)
      return undefined
    },
  }),
  AuthBearerIssuer: directive.take1({
    ...common,
    help: 'the claim iss that tokens must have',
    set: (config: BearerConfig, word) => {
      config.issuer = word
    },
  }),
  AuthBearerAudience: directive.iterate({
    ...common,
    help: 'values of the claim aud, of which tokens must have one',
    set: (config: BearerConfig, word) => {
      config.audience = [...(config.audience ?? []), word]
    },
  }),
  AuthBearerSkew: directive.take1({
    ...common,
    help: 'seconds by which the clock of the issuer may differ',
    set: (config: BearerConfig, word) => {
      const seconds = /^\d{1,3}$/.test(word) ? Number(word) : -1
      if (seconds < 0 || seconds > 300) return 'AuthBearerSkew must be from 0 to 300 seconds'
      config.skew = seconds
      return undefined
    },
  }),
  AuthBearerTokenType: directive.take1({
    ...common,
    help: 'the type that tokens must have in their heads, such as at+jwt; any for all',
    set: (config: BearerConfig, word) => {
      config.type = word.toLowerCase() === 'any' ? '' : word
    },
  }),
  AuthBearerUserClaim: directive.take1({
    ...common,
    help: 'the claim with the name of the user',
    set: (config: BearerConfig, word) => {
      config.userClaim = word
    },
  }),
  AuthBearerIntrospection: directive.take3({
    ...common,
    help: 'URL of the issuer for questions about opaque tokens, client, and file with its secret',
    set: (config: BearerConfig, word, client, file, command) => {
      const url = securedUrl('AuthBearerIntrospection', word)
      if (typeof url === 'string') return url
      const path = command.serverRelative(file)
      const secret = command.services.readFile(path)
      if (typeof secret !== 'string') return `AuthBearerIntrospection: cannot read the secret in ${path}: ${secret.message}`
      const [line] = secret.split(/\r?\n/, 1)
      if (line === '') return `AuthBearerIntrospection: the first line of ${path} is empty; it must be the secret`
      config.introspection = new Introspection(url, client, line)
      return undefined
    },
  }),
}

/** Without TLS, an attacker on the network could replace keys or read tokens; on this machine there is none. */
function securedUrl(name: string, word: string): URL | string {
  const url = URL.parse(word)
  const isLocal = url !== null && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))) {
    return `${name}: '${word}' must begin with https://, or be on this machine`
  }
  return url.username === '' && url.password === '' && url.hash === ''
    ? url
    : `${name} must not contain a user, a password or a fragment`
}
