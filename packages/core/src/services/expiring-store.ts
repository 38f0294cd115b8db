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
    if (entry === undefined) return undefined
    if (this.#now() < entry.expires) return entry.value
    this.delete(key)
    return undefined
  }

  /** Keeps a text, unless it is larger than the store. @param lifetime milliseconds */
  set(key: string, value: string, lifetime: number): void {
    this.delete(key)
    const entry: Entry = { value, expires: this.#now() + lifetime }
    const size = sizeOf(key, entry)
    if (size > this.#limit) return
    this.#makeRoom(size)
    this.#entries.set(key, entry)
    this.#used += size
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#used -= sizeOf(key, entry)
  }

  #makeRoom(size: number): void {
    for (const key of this.#entries.keys()) {
      if (this.#used + size <= this.#limit) return
      this.delete(key)
    }
  }
}

function sizeOf(key: string, { value }: Entry): number {
  return key.length + value.length + OVERHEAD
}
