import { DynamicTable, TABLE_SIZE } from './dynamic-table.ts'
import { decodeHuffman } from './huffman-code.ts'
import { STATIC_ENTRIES, STATIC_TABLE } from './static-table.ts'

/** Receives the fields of a block in their order. */
export interface FieldSink {
  /** Texts are latin1. */
  field(name: string, value: string): void
}

/** A larger number is an error: no block is as long. */
const LARGEST_NUMBER = 0xff_ffff

/** Decodes the header blocks of one direction of a connection (RFC 7541). */
export class HpackDecoder {
  readonly #table: DynamicTable
  /** The largest table that the other side may choose. */
  readonly #limit: number
  #bytes: Buffer = EMPTY
  #at = 0
  #end = 0
  #failed = false

  /** @param limit SETTINGS_HEADER_TABLE_SIZE as this side has sent it */
  constructor(limit: number = TABLE_SIZE) {
    this.#limit = limit
    this.#table = new DynamicTable(limit)
  }

  /** Bytes that the dynamic table occupies by the rules of the RFC. */
  get tableSize(): number {
    return this.#table.size
  }

  /**
   * Decodes a complete block.
   * @returns false for an error, after which no further block can be decoded
   */
  decode(bytes: Buffer, start: number, end: number, sink: FieldSink): boolean {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    let mayResize = true
    while (this.#at < this.#end && !this.#failed) {
      const first = bytes[this.#at]
      if (first >= 0x80) this.#indexed(sink)
      else if (first >= 0x40) this.#literal(6, sink, true)
      else if (first >= 0x20) {
        if (!mayResize) return this.#fail()
        this.#resize()
        continue
      } else this.#literal(4, sink, false)
      mayResize = false
    }
    this.#bytes = EMPTY
    return !this.#failed
  }

  #fail(): false {
    this.#failed = true
    this.#bytes = EMPTY
    return false
  }

  #resize(): void {
    const limit = this.#number(5)
    if (limit > this.#limit) this.#failed = true
    else if (!this.#failed) this.#table.resize(limit)
  }

  #indexed(sink: FieldSink): void {
    const index = this.#number(7)
    if (this.#failed) return
    if (index === 0 || index > STATIC_ENTRIES + this.#table.length) {
      this.#failed = true
      return
    }
    if (index <= STATIC_ENTRIES) return sink.field(STATIC_TABLE[2 * index - 2], STATIC_TABLE[2 * index - 1])
    const age = index - STATIC_ENTRIES - 1
    sink.field(this.#table.name(age), this.#table.value(age))
  }

  #literal(bits: number, sink: FieldSink, isKept: boolean): void {
    const index = this.#number(bits)
    if (this.#failed) return
    if (index > STATIC_ENTRIES + this.#table.length) {
      this.#failed = true
      return
    }
    const name =
      index === 0
        ? this.#text()
        : index <= STATIC_ENTRIES
          ? STATIC_TABLE[2 * index - 2]
          : this.#table.name(index - STATIC_ENTRIES - 1)
    const value = this.#text()
    if (this.#failed) return
    if (isKept) this.#table.add(name, value)
    sink.field(name, value)
  }

  /** A number whose first byte has this many bits for it (RFC 7541 section 5.1). */
  #number(bits: number): number {
    const most = (1 << bits) - 1
    let value = this.#bytes[this.#at++] & most
    if (value < most) return value
    for (let shift = 0; ; shift += 7) {
      if (this.#at >= this.#end || shift > 21) {
        this.#failed = true
        return 0
      }
      const byte = this.#bytes[this.#at++]
      value += (byte & 0x7f) << shift
      if (value > LARGEST_NUMBER) {
        this.#failed = true
        return 0
      }
      if (byte < 0x80) return value
    }
  }

  #text(): string {
    if (this.#failed || this.#at >= this.#end) {
      this.#failed = true
      return ''
    }
    const isHuffman = this.#bytes[this.#at] >= 0x80
    const length = this.#number(7)
    const start = this.#at
    const end = start + length
    if (this.#failed || end > this.#end) {
      this.#failed = true
      return ''
    }
    this.#at = end
    if (!isHuffman) return this.#bytes.toString('latin1', start, end)
    const text = decodeHuffman(this.#bytes, start, end)
    if (text !== null) return text
    this.#failed = true
    return ''
  }
}

const EMPTY = Buffer.alloc(0)
