import type { Command, SharedStore } from '@gatewright/api'

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
  const { caches } = command.services.providers
  const colon = text.indexOf(':')
  const kind = colon < 0 ? text : text.slice(0, colon)
  const provider = caches.get(kind)
  if (provider === undefined) return { error: unknown(kind, [...caches.names()].sort().join(',')) }
  const open = provider.configure(colon < 0 ? '' : text.slice(colon + 1), command)
  return 'error' in open ? open : { kind: 'shared', name: kind.toUpperCase(), open }
}
