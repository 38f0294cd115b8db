import { type Command, chooseCache, type SharedStore } from '@gatewright/api'

/** SSLSessionCache and SSLStaplingCache. */
export type CacheChoice =
  /** `none`; `nonenotnull` sends session identifiers all the same. */
  | { readonly kind: 'none' | 'nonenotnull' }
  | {
      readonly kind: 'shared'
      /** The kind of cache that the directive names, in upper case. */
      readonly name: string
      /** @param name a purpose */
      readonly open: (name: string) => SharedStore
    }

/**
 * Reads `KIND[:ARGUMENT]`, a cache of another module.
 * @param unknown makes the message about a kind that there is not
 */
export function readCacheArgument(
  text: string,
  command: Command,
  unknown: (kind: string, known: string) => string,
): CacheChoice | { readonly error: string } {
  const cache = chooseCache(text, command)
  if ('unknown' in cache)
    return { error: unknown(cache.unknown, [...command.services.providers.caches.names()].sort().join(',')) }
  return 'error' in cache ? cache : { kind: 'shared', name: cache.kind.toUpperCase(), open: cache.open }
}
