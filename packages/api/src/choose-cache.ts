import type { Command } from './command.ts'
import type { SharedStore } from './shared-store.ts'

/**
 * The cache that the argument of a directive names.
 * @since 2.4.6
 */
export interface ChosenCache {
  /** Its kind, as written. */
  readonly kind: string
  /** Opens it for a purpose: see {@link CacheProvider.configure}. */
  readonly open: (name: string) => SharedStore
}

/**
 * Why the argument of a directive names no cache.
 * @since 2.4.6
 */
export type NoCache =
  | {
      /** A kind of cache that no loaded module has. */
      readonly unknown: string
    }
  | {
      /** What is wrong with the argument. */
      readonly error: string
    }

/**
 * Reads `KIND` or `KIND:ARGUMENT`, a cache of a module that was loaded before.
 * @since 2.4.6
 */
export function chooseCache(text: string, command: Command): ChosenCache | NoCache {
  const colon = text.indexOf(':')
  const kind = colon < 0 ? text : text.slice(0, colon)
  const provider = command.services.providers.caches.get(kind)
  if (provider === undefined) return { unknown: kind }
  const open = provider.configure(colon < 0 ? '' : text.slice(colon + 1), command)
  return 'error' in open ? open : { kind, open }
}
