import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { CLIENT_BYTES } from './client-memory.ts'
import { type ClientMemory, canHash, type DigestConfig } from './config.ts'

export const directives: DirectiveTable<DigestConfig, ClientMemory> = {
  AuthDigestProvider: directive.iterate({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'specify the auth providers for a directory or location',
    set: addProvider,
  }),
  AuthDigestQop: directive.iterate({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: "A list of quality-of-protection options; only 'auth' is possible",
    set: (_config: DigestConfig, word) =>
      word.toLowerCase() === 'auth' ? undefined : "AuthDigestQop is deprecated: only 'auth' is supported",
  }),
  AuthDigestNonceLifetime: directive.take1({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'Maximum lifetime of the server nonce (seconds)',
    set: (config: DigestConfig, word) => {
      if (!/^\s*[-+]?\d+$/.test(word)) return `Invalid time in AuthDigestNonceLifetime: ${word}`
      config.nonceLifetime = Number(word)
      return undefined
    },
  }),
  AuthDigestNcCheck: directive.flag({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'Whether or not to check the nonce-count sent by the client',
    set: (config: DigestConfig, on) => {
      config.checkCount = on
    },
  }),
  AuthDigestAlgorithm: directive.take1({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'The algorithm used for the hash calculation',
    set: (_config: DigestConfig, word) =>
      word.toLowerCase() === 'md5' ? undefined : `Unsupported algorithm in AuthDigestAlgorithm: ${word}`,
  }),
  AuthDigestDomain: directive.iterate({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: "A list of URI's which belong to the same protection space as the current URI",
    set: (config: DigestConfig, uri) => {
      config.domain ??= []
      config.domain.push(uri)
    },
  }),
  AuthDigestShmemSize: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'The amount of shared memory to allocate for keeping track of clients',
    set: setMemory,
  }),
}

function addProvider(config: DigestConfig, name: string, command: Command): SetResult {
  const provider = command.services.providers.authn.get(name)
  if (provider === undefined) return `Unknown Authn provider: ${name}`
  if (!canHash(provider)) return `The '${name}' Authn provider doesn't support Digest Authentication`
  config.providers ??= []
  config.providers.push(provider)
  return undefined
}

/** Parses a number with an optional K or M. As in httpd, anything after that is ignored. */
function setMemory(memory: ClientMemory, word: string): SetResult {
  const [, number, unit] = /^\s*([-+]?\d+)(?:([km]).*)?$/is.exec(word) ?? []
  if (number === undefined) return `Invalid size in AuthDigestShmemSize: ${word}`
  const bytes = Number(number) * (unit === undefined ? 1 : unit.toLowerCase() === 'k' ? 1024 : 1_048_576)
  if (bytes < CLIENT_BYTES) return `size in AuthDigestShmemSize too small: ${bytes} < ${CLIENT_BYTES}`
  memory.bytes = bytes
  return undefined
}
