import { contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { CacheConfig, CacheServerConfig } from './config.ts'
import { readSocacheArgument } from './socache-argument.ts'

export const directives: DirectiveTable<CacheConfig, CacheServerConfig> = {
  AuthnCacheSOCache: directive.take1({
    scope: 'server',
    context: contexts.mainServer,
    help: 'socache provider for authn cache',
    set: (server: CacheServerConfig, word) => {
      const size = readSocacheArgument(word)
      if (typeof size === 'string') return `AuthnCacheSOCache: ${size}`
      server.size = size
      return undefined
    },
  }),
  // httpd declares no argument and ignores any text, including `Off`.
  AuthnCacheEnable: directive.raw({
    scope: 'server',
    context: contexts.mainServer,
    help: 'enable socache configuration in htaccess even if not enabled anywhere else',
    set: (server: CacheServerConfig) => {
      server.enabled = true
    },
  }),
  AuthnCacheProvideFor: directive.iterate({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'Determine what authn providers to cache for',
    set: (config: CacheConfig, provider) => {
      ;(config.providers ??= []).push(provider)
    },
  }),
  AuthnCacheTimeout: directive.take1({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'Timeout (secs) for cached credentials',
    set: (config: CacheConfig, seconds) => {
      config.timeout = leadingNumber(seconds) * 1000
    },
  }),
  AuthnCacheContext: directive.take1({
    scope: 'directory',
    context: ['directory'],
    help: 'Context for authn cache',
    set: (config: CacheConfig, context) => {
      config.context = context
    },
  }),
}

/** The number at the start of a word, as atoi(3) parses it; 0 if there is none, which disables the cache. */
function leadingNumber(word: string): number {
  const number = Number.parseInt(word, 10)
  return Number.isNaN(number) ? 0 : number
}
