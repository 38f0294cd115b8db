import type { SharedStoreFigures } from '@gatewright/api'

/** Estimated size of an entry in addition to its texts, in bytes. */
const OVERHEAD = 100

interface Entry {
  readonly value: string
  /** In milliseconds of the store's clock. */
  readonly expires: number
}

/** Bytes in Base64 by key, limited in time and size: new entries replace the oldest. */
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
    const entry = this.#current(key)
    this.#counts[entry === undefined ? 'notFound' : 'found']++
    return entry?.value
  }

  /** Keeps a text, unless it is larger than the store. @param lifetime milliseconds */
  set(key: string, value: string, lifetime: number): void {
    this.#put(key, { value, expires: this.#now() + lifetime })
  }

  /**
   * Adds to the number whose decimal digits an entry has; see SharedStore.increment.
   * @returns undefined if the entry is another one, or too large for the store
   */
  increment(key: string, amount: number, lifetime: number): number | undefined {
    const former = this.#current(key)
    const digits = former === undefined ? '0' : Buffer.from(former.value, 'base64').toString('latin1')
    if (!/^\d{1,16}$/.test(digits)) return undefined
    const sum = Math.min(Number(digits) + amount, Number.MAX_SAFE_INTEGER)
    const value = Buffer.from(String(sum), 'latin1').toString('base64')
    return this.#put(key, { value, expires: former?.expires ?? this.#now() + lifetime }) ? sum : undefined
  }

  /** Keeps a text if the present one is the expected; undefined for none. @returns whether it was kept */
  compareAndSet(key: string, expected: string | undefined, value: string, lifetime: number): boolean {
    if (this.#current(key)?.value !== expected) return false
    return this.#put(key, { value, expires: this.#now() + lifetime })
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

  /** The entry of a key, unless it has expired. */
  #current(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || this.#now() < entry.expires) return entry
    this.#drop(key, entry)
    this.#counts.expired++
    return undefined
  }

  /** @returns false if the entry is larger than the store */
  #put(key: string, entry: Entry): boolean {
    const former = this.#entries.get(key)
    if (former !== undefined) this.#drop(key, former)
    const size = sizeOf(key, entry)
    if (size > this.#limit) return false
    this.#makeRoom(size)
    this.#entries.set(key, entry)
    this.#used += size
    this.#counts[former === undefined ? 'stored' : 'replaced']++
    return true
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
