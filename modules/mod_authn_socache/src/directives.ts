import { type Command, chooseCache, contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { CacheConfig, CacheServerConfig } from './config.ts'

export const directives: DirectiveTable<CacheConfig, CacheServerConfig> = {
  AuthnCacheSOCache: directive.take1({
    scope: 'server',
    context: contexts.mainServer,
    help: 'socache provider for authn cache',
    set: setCache,
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

/** `KIND[:ARGUMENT]`, a kind of cache of another module. */
function setCache(server: CacheServerConfig, word: string, command: Command): string | undefined {
  const cache = chooseCache(word, command)
  if ('unknown' in cache) {
    const module = `mod_socache_${word}`
    return `AuthnCacheSOCache: Unknown socache provider '${word}'. Maybe you need to load the appropriate socache module (${module}?)`
  }
  if ('error' in cache) return `AuthnCacheSOCache: ${cache.error}`
  server.open = cache.open
  return undefined
}

/** The number at the start of a word, as atoi(3) parses it; 0 if there is none, which disables the cache. */
function leadingNumber(word: string): number {
  const number = Number.parseInt(word, 10)
  return Number.isNaN(number) ? 0 : number
}
