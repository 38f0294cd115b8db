import { type Command, contexts, type DirectiveTable, directive, type SetResult, type Text } from '@gatewright/api'
import type { BasicConfig } from './config.ts'

export const directives: DirectiveTable<BasicConfig, undefined> = {
  AuthBasicProvider: directive.iterate({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'providers of users and passwords, in the order in which they are consulted',
    set: addProvider,
  }),
  AuthBasicAuthoritative: directive.flag({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'Off passes users that no provider knows to other modules',
    set: (config: BasicConfig, on) => {
      config.authoritative = on
    },
  }),
  AuthBasicFake: directive.take12({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: "user and password (default: the word password) to pass to backends, or 'off'",
    set: setFake,
  }),
  AuthBasicUseDigestAlgorithm: directive.take1({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: "'MD5' compares with the digests that providers store, 'Off' with passwords",
    set: (config: BasicConfig, word) => {
      const lower = word.toLowerCase()
      if (lower !== 'off' && lower !== 'md5') return `Invalid algorithm in AuthBasicUseDigestAlgorithm: ${word}`
      config.digest = lower === 'md5'
      return undefined
    },
  }),
}

function addProvider(config: BasicConfig, name: string, command: Command): SetResult {
  const provider = command.services.providers.authn.get(name)
  if (provider === undefined) return `Unknown Authn provider: ${name}`
  if (provider.checkPassword === undefined) return `The '${name}' Authn provider doesn't support Basic Authentication`
  config.providers ??= []
  const { file, line } = command
  const owner = command.services.providers.authn.ownerOf(name)
  config.providers.push({ name, provider, description: `'AuthBasicProvider ${name}' (${file}:${line}), a provider of ${owner}` })
  return undefined
}

function setFake(config: BasicConfig, user: string, password: string | undefined, command: Command): SetResult {
  if (user.toLowerCase() === 'off') {
    config.fake = null
    return undefined
  }
  const { services } = command
  const userText: Text | { readonly error: string } = services.text(user, command)
  if ('error' in userText) return `Could not parse fake username expression '${user}': ${userText.error}`
  const passwordText: Text | { readonly error: string } = services.text(password ?? 'password', command)
  if ('error' in passwordText) {
    return `Could not parse fake password expression associated to user '${user}': ${passwordText.error}`
  }
  config.fake = { user: userText, password: passwordText }
  return undefined
}
