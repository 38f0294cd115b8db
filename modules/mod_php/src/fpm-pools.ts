import { FpmPool, type FpmStart } from './fpm-pool.ts'
import type { PhpSettings } from './settings.ts'

/** Sets of settings with a PHP-FPM of their own, in one process of the server. */
export const MOST_POOLS = 32

/**
 * A PHP-FPM for each set of settings: what is sent with a request would stay in the process for later requests of others.
 * The set that was used longest ago makes room for another one.
 */
export class FpmPools {
  readonly #start: FpmStart
  /** The one that was used last is the last. */
  readonly #pools = new Map<string, FpmPool>()

  constructor(start: FpmStart) {
    this.#start = start
  }

  /** @returns null if all sets are in use */
  poolFor(settings: PhpSettings): FpmPool | null {
    const key = JSON.stringify([...settings].sort(([a], [b]) => (a < b ? -1 : 1)))
    let pool = this.#pools.get(key)
    this.#pools.delete(key)
    if (pool?.ended === true) {
      pool.close()
      pool = undefined
    }
    if (pool === undefined && this.#pools.size >= MOST_POOLS && !this.#makeRoom()) return null
    pool ??= new FpmPool(settings, this.#start)
    this.#pools.set(key, pool)
    return pool
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.close()
    this.#pools.clear()
  }

  #makeRoom(): boolean {
    for (const [key, pool] of this.#pools) {
      if (pool.busy > 0) continue
      this.#pools.delete(key)
      pool.close()
      return true
    }
    return false
  }
}
