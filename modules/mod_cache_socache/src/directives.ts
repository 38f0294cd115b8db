import { type Command, chooseCache, contexts, type DirectiveTable, directive } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import type { SocacheConfig, SocacheServerConfig } from './config.ts'

const IN_FILES = { scope: 'directory', context: ['server', 'virtualhost', 'directory', 'proxy'] } as const

const LARGEST = 4_294_967_295
const SIZE_HELP =
  'CacheSocacheMaxSize argument must be a integer representing the max size of a cached entry (headers and body), ' +
  'at least 1024 and at most (4294967295U)'

export const directives: DirectiveTable<SocacheConfig, SocacheServerConfig> = {
  CacheSocache: directive.take1<SocacheServerConfig>({
    scope: 'server',
    context: contexts.inServers,
    help: 'The shared object cache to store cache files',
    set: setCache,
  }),
  CacheSocacheMaxTime: time('max', 'The maximum cache expiry age to cache a document in seconds'),
  CacheSocacheMinTime: time('min', 'The minimum cache expiry age to cache a document in seconds'),
  CacheSocacheMaxSize: directive.take1<SocacheConfig>({
    ...IN_FILES,
    help: 'The maximum cache entry size (headers and body) to cache a document',
    set: (config, word) => {
      const size = leadingInteger(word)
      if (size < 1024 || size > LARGEST) return SIZE_HELP
      config.maxSize = size
      return undefined
    },
  }),
  CacheSocacheReadSize: unused('The maximum quantity of data to attempt to read and cache in one go', 'amount of data'),
  CacheSocacheReadTime: unused('The maximum time taken to attempt to read and cache in go', 'amount of time taken'),
}

function time(limit: 'max' | 'min', help: string) {
  return directive.take1<SocacheConfig>({
    ...IN_FILES,
    help,
    set: (config, word, { name }) => {
      const seconds = leadingInteger(word)
      config[`${limit}Time`] = seconds
      // httpd's message says maximum for both.
      return seconds < 0 ? `${name} argument must be the maximum amount of time in seconds to cache an entry.` : undefined
    },
  })
}

/** Bodies are collected as they arrive. */
function unused(help: string, what: string) {
  return directive.take1<SocacheConfig>({
    ...IN_FILES,
    help,
    effect: 'none',
    set: (_config, word, { name }) =>
      leadingInteger(word) < 0
        ? `${name} argument must be a non-negative integer representing the max ${what} to cache in go.`
        : undefined,
  })
}

/** `KIND[:ARGUMENT]`, a kind of cache of another module. */
function setCache(config: SocacheServerConfig, word: string, command: Command): string | undefined {
  const cache = chooseCache(word, command)
  if ('unknown' in cache) {
    const { unknown } = cache
    return `Unknown socache provider '${unknown}'. Maybe you need to load the appropriate socache module (mod_socache_${unknown}?)`
  }
  if ('error' in cache) config.fault = cache.error
  else config.open = cache.open
  return undefined
}
