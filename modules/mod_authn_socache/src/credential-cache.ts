/** What an entry costs beside its texts, in bytes; an estimate. */
const OVERHEAD = 100

interface Entry {
  readonly hash: string
  /** Milliseconds on the clock of the cache. */
  readonly expires: number
}

/** Hashes by key, for a limited time and of limited size: the oldest make room for new ones. */
export class CredentialCache {
  readonly #limit: number
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()
  #used = 0

  /**
   * @param limit bytes
   * @param now milliseconds of a clock that is never set back
   */
  constructor(limit: number, now: () => number) {
    this.#limit = limit
    this.#now = now
  }

  /** Undefined when nothing is kept under the key, or it is too old. */
  get(key: string): string | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (this.#now() < entry.expires) return entry.hash
    this.#delete(key, entry)
    return undefined
  }

  /**
   * @param lifetime milliseconds
   * @returns false when there would be no room if nothing else were kept
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
