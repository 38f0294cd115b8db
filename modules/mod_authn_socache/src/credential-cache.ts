/** Estimated size of an entry in addition to its texts, in bytes. */
const OVERHEAD = 100

interface Entry {
  readonly hash: string
  /** In milliseconds of the cache's clock. */
  readonly expires: number
}

/** Hashes by key, limited in time and size: new entries replace the oldest. */
export class CredentialCache {
  readonly #limit: number
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()
  #used = 0

  /**
   * @param limit bytes
   * @param now a monotonic clock in milliseconds
   */
  constructor(limit: number, now: () => number) {
    this.#limit = limit
    this.#now = now
  }

  /** The hash for a key; undefined if there is none or it has expired. */
  get(key: string): string | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (this.#now() < entry.expires) return entry.hash
    this.#delete(key, entry)
    return undefined
  }

  /**
   * @param lifetime milliseconds
   * @returns false if the entry is larger than the cache
   */
  set(key: string, hash: string, lifetime: number): boolean {
    const former = this.#entries.get(key)
    if (former !== undefined) this.#delete(key, former)
    const entry: Entry = { hash, expires: this.#now() + lifetime }
    const size = sizeOf(key, entry)
    if (size > this.#limit) return false
    for (const [oldest, its] of this.#entries) {
      if (this.#used + size <= this.#limit) break
      this.#delete(oldest, its)
    }
    this.#entries.set(key, entry)
    this.#used += size
    return true
  }

  #delete(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#used -= sizeOf(key, entry)
  }
}

function sizeOf(key: string, { hash }: Entry): number {
  return key.length + hash.length + OVERHEAD
}
