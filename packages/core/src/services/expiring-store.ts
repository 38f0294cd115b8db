import type { SharedStoreFigures } from '@gatewright/api'

/** Estimated size of an entry in addition to its texts, in bytes. */
const OVERHEAD = 100

interface Entry {
  readonly value: string
  /** In milliseconds of the store's clock. */
  readonly expires: number
}

/** Texts by key, limited in time and size: new entries replace the oldest. */
export class ExpiringStore {
  #limit: number
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()
  #used = 0
  readonly #counts = { stored: 0, replaced: 0, expired: 0, displaced: 0, found: 0, notFound: 0, removed: 0, notRemoved: 0 }

  /**
   * @param limit bytes
   * @param now a monotonic clock in milliseconds
   */
  constructor(limit: number, now: () => number) {
    this.#limit = limit
    this.#now = now
  }

  /** From now on, the entries have this size in all. */
  limitTo(bytes: number): void {
    if (bytes === this.#limit) return
    this.#limit = bytes
    this.#makeRoom(0)
  }

  /** The text of a key; undefined if there is none or it has expired. */
  get(key: string): string | undefined {
    const entry = this.#entries.get(key)
    if (entry !== undefined && this.#now() < entry.expires) {
      this.#counts.found++
      return entry.value
    }
    this.#counts.notFound++
    if (entry !== undefined) {
      this.#drop(key, entry)
      this.#counts.expired++
    }
    return undefined
  }

  /** Keeps a text, unless it is larger than the store. @param lifetime milliseconds */
  set(key: string, value: string, lifetime: number): void {
    const former = this.#entries.get(key)
    if (former !== undefined) this.#drop(key, former)
    const entry: Entry = { value, expires: this.#now() + lifetime }
    const size = sizeOf(key, entry)
    if (size > this.#limit) return
    this.#makeRoom(size)
    this.#entries.set(key, entry)
    this.#used += size
    this.#counts[former === undefined ? 'stored' : 'replaced']++
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) {
      this.#counts.notRemoved++
      return
    }
    this.#drop(key, entry)
    this.#counts.removed++
  }

  figures(): SharedStoreFigures {
    const oldest = this.#entries.values().next().value
    return {
      limit: this.#limit,
      used: this.#used,
      entries: this.#entries.size,
      oldestLeft: oldest === undefined ? null : Math.max(0, oldest.expires - this.#now()),
      ...this.#counts,
    }
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#used -= sizeOf(key, entry)
  }

  #makeRoom(size: number): void {
    const now = this.#now()
    for (const [key, entry] of this.#entries) {
      if (this.#used + size <= this.#limit) return
      this.#drop(key, entry)
      this.#counts[entry.expires <= now ? 'expired' : 'displaced']++
    }
  }
}

function sizeOf(key: string, { value }: Entry): number {
  return key.length + value.length + OVERHEAD
}
