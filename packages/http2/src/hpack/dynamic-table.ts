/** What an entry counts in addition to its name and value (RFC 7541 section 4.1). */
export const ENTRY_OVERHEAD = 32

/** The size of a table unless SETTINGS_HEADER_TABLE_SIZE says otherwise. */
export const TABLE_SIZE = 4096

/**
 * The dynamic table of one direction of a connection (RFC 7541 section 2.3.2), a ring. Entries are numbered from the
 * oldest on since the start of the connection.
 */
export class DynamicTable {
  /** Bytes that the entries may have. */
  #limit: number
  #size = 0
  /** Names and values in turn. */
  #ring: string[] = []
  /** Places in the ring, a power of two. */
  #places = 0
  /** Numbers of the oldest entry, and of the next one. */
  #oldest = 0
  #next = 0

  constructor(limit: number = TABLE_SIZE) {
    this.#limit = limit
  }

  get limit(): number {
    return this.#limit
  }

  get size(): number {
    return this.#size
  }

  get length(): number {
    return this.#next - this.#oldest
  }

  /** The number of the oldest entry. */
  get oldest(): number {
    return this.#oldest
  }

  /** The number of the next entry. */
  get next(): number {
    return this.#next
  }

  /** @param age 0 for the newest entry, less than `length` */
  name(age: number): string {
    return this.#ring[2 * ((this.#next - 1 - age) & (this.#places - 1))]
  }

  value(age: number): string {
    return this.#ring[2 * ((this.#next - 1 - age) & (this.#places - 1)) + 1]
  }

  resize(limit: number): void {
    this.#limit = limit
    this.#evict(0)
  }

  /** Adds an entry; one that is longer than the table empties it. @returns whether it was added */
  add(name: string, value: string): boolean {
    const size = name.length + value.length + ENTRY_OVERHEAD
    this.#evict(size)
    if (size > this.#limit) return false
    if (this.length === this.#places) this.#grow()
    const place = 2 * (this.#next & (this.#places - 1))
    this.#ring[place] = name
    this.#ring[place + 1] = value
    this.#next++
    this.#size += size
    return true
  }

  #evict(added: number): void {
    while (this.#size + added > this.#limit && this.length > 0) {
      const place = 2 * (this.#oldest & (this.#places - 1))
      this.#size -= this.#ring[place].length + this.#ring[place + 1].length + ENTRY_OVERHEAD
      this.#ring[place] = ''
      this.#ring[place + 1] = ''
      this.#oldest++
    }
  }

  #grow(): void {
    const places = this.#places === 0 ? 8 : 2 * this.#places
    const ring: string[] = new Array<string>(2 * places).fill('')
    for (let number = this.#oldest; number < this.#next; number++) {
      const from = 2 * (number & (this.#places - 1))
      const to = 2 * (number & (places - 1))
      ring[to] = this.#ring[from]
      ring[to + 1] = this.#ring[from + 1]
    }
    this.#ring = ring
    this.#places = places
  }
}
