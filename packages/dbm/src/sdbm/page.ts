export const PAGE_SIZE = 1024

/** The largest total of key and value of one record. A page holds one such record and its two offsets. */
export const LARGEST_PAIR = 1008

/**
 * One page of `.pag`: a count, as many 16-bit offsets, two to a record (key, then value), and the data, filled from the end
 * downwards, each key above its value. Records are numbered from 0.
 */
export class SdbmPage {
  readonly bytes: Buffer

  private constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  static empty(): SdbmPage {
    return new SdbmPage(Buffer.alloc(PAGE_SIZE))
  }

  /**
   * @returns undefined for a damaged page: its offsets do not descend from the end of the page to the end of
   *   the table
   */
  static read(bytes: Buffer): SdbmPage | undefined {
    if (bytes.length !== PAGE_SIZE) return undefined
    const count = bytes.readUInt16LE(0)
    const tableEnd = 2 * (count + 1)
    if (count % 2 !== 0 || tableEnd > PAGE_SIZE) return undefined
    let previous = PAGE_SIZE
    for (let index = 1; index <= count; index++) {
      const offset = bytes.readUInt16LE(2 * index)
      if (offset > previous || offset < tableEnd) return undefined
      previous = offset
    }
    return new SdbmPage(bytes)
  }

  get records(): number {
    return this.bytes.readUInt16LE(0) / 2
  }

  key(record: number): Buffer {
    return this.bytes.subarray(this.#keyOffset(record), this.#end(record))
  }

  value(record: number): Buffer {
    return this.bytes.subarray(this.#valueOffset(record), this.#keyOffset(record))
  }

  /** @returns -1 if the key is not on the page */
  find(key: Buffer): number {
    const records = this.records
    for (let record = 0; record < records; record++) {
      if (this.#end(record) - this.#keyOffset(record) === key.length && this.key(record).equals(key)) return record
    }
    return -1
  }

  fits(key: Buffer, value: Buffer): boolean {
    return key.length + value.length + 4 <= this.#end(this.records) - 2 * (2 * this.records + 1)
  }

  /** Adds a record that is known to fit. */
  append(key: Buffer, value: Buffer): void {
    const record = this.records
    const keyOffset = this.#end(record) - key.length
    const valueOffset = keyOffset - value.length
    key.copy(this.bytes, keyOffset)
    value.copy(this.bytes, valueOffset)
    this.bytes.writeUInt16LE(keyOffset, 2 * (2 * record + 1))
    this.bytes.writeUInt16LE(valueOffset, 2 * (2 * record + 2))
    this.bytes.writeUInt16LE(2 * (record + 1), 0)
  }

  /** The page without one record. The freed bytes are cleared because values are password hashes. */
  without(record: number): SdbmPage {
    return this.select((other) => other !== record)
  }

  /** A page with the records that the test accepts, in the same order. */
  select(wanted: (record: number) => boolean): SdbmPage {
    const page = SdbmPage.empty()
    for (let record = 0; record < this.records; record++) {
      if (wanted(record)) page.append(this.key(record), this.value(record))
    }
    return page
  }

  #end(record: number): number {
    return record === 0 ? PAGE_SIZE : this.#valueOffset(record - 1)
  }

  #keyOffset(record: number): number {
    return this.bytes.readUInt16LE(2 * (2 * record + 1))
  }

  #valueOffset(record: number): number {
    return this.bytes.readUInt16LE(2 * (2 * record + 2))
  }
}
