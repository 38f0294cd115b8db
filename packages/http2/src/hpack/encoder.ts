import type { ByteWriter } from '../byte-writer.ts'
import { DynamicTable, TABLE_SIZE } from './dynamic-table.ts'
import { STATIC_ENTRIES, STATIC_NAMES, STATIC_TABLE } from './static-table.ts'

/** Values that differ from message to message: they would only displace others in the table. */
const VARYING: ReadonlySet<string> = new Set([
  ...[':path', 'age', 'content-length', 'content-range', 'etag', 'if-modified-since', 'if-none-match', 'last-modified'],
  'location',
])

/** Secrets: never in a table of any recipient (RFC 7541 section 7.1.3). */
const SECRET: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization', 'set-cookie'])

const STATIC_FIELDS: ReadonlyMap<string, number> = staticFields()

/** Encodes the header blocks of one direction of a connection (RFC 7541), without the Huffman code. */
export class HpackEncoder {
  readonly #table: DynamicTable
  /** Numbers of entries by name and value; those of evicted entries may be left. */
  readonly #numbers = new Map<string, number>()
  /** The least size since the last block, and the last one; -1 if the size was not changed. */
  #least = -1
  #chosen = -1

  constructor(limit: number = TABLE_SIZE) {
    this.#table = new DynamicTable(limit)
  }

  /** Takes over SETTINGS_HEADER_TABLE_SIZE of the other side. A table larger than usual is not used. */
  limit(size: number): void {
    const chosen = Math.min(size, TABLE_SIZE)
    if (this.#chosen < 0 && chosen === this.#table.limit) return
    this.#least = this.#least < 0 ? chosen : Math.min(this.#least, chosen)
    this.#chosen = chosen
  }

  /** Whether the next block has to begin with a change of the table's size. */
  get mustResize(): boolean {
    return this.#chosen >= 0
  }

  /** Call this before the first field of a block. */
  begin(into: ByteWriter): void {
    if (this.#chosen < 0) return
    this.#table.resize(this.#least)
    this.#table.resize(this.#chosen)
    if (this.#least < this.#chosen) writeNumber(into, 0x20, 5, this.#least)
    writeNumber(into, 0x20, 5, this.#chosen)
    this.#least = -1
    this.#chosen = -1
  }

  /** @param name in lower case */
  field(into: ByteWriter, name: string, value: string): void {
    const pair = `${name}:${value}`
    const fixed = STATIC_FIELDS.get(pair)
    if (fixed !== undefined) return writeNumber(into, 0x80, 7, fixed)
    const known = this.#numbers.get(pair)
    if (known !== undefined && known >= this.#table.oldest) {
      return writeNumber(into, 0x80, 7, STATIC_ENTRIES + this.#table.next - known)
    }
    if (SECRET.has(name)) return writeLiteral(into, 0x10, 4, name, value)
    if (VARYING.has(name)) return writeLiteral(into, 0, 4, name, value)
    writeLiteral(into, 0x40, 6, name, value)
    const number = this.#table.next
    if (!this.#table.add(name, value)) return
    if (this.#numbers.size > (4 * TABLE_SIZE) / ENTRY_LEAST) this.#forgetEvicted()
    this.#numbers.set(pair, number)
  }

  #forgetEvicted(): void {
    for (const [pair, number] of this.#numbers) if (number < this.#table.oldest) this.#numbers.delete(pair)
  }
}

/** Bytes of the shortest entry. */
const ENTRY_LEAST = 33

/** Writes a field that refers to no dynamic table, so that every connection may get the same bytes. */
export function writeIndependentField(into: ByteWriter, name: string, value: string): void {
  const fixed = STATIC_FIELDS.get(`${name}:${value}`)
  if (fixed !== undefined) writeNumber(into, 0x80, 7, fixed)
  else writeLiteral(into, SECRET.has(name) ? 0x10 : 0, 4, name, value)
}

function writeLiteral(into: ByteWriter, kind: number, bits: number, name: string, value: string): void {
  const index = STATIC_NAMES.get(name) ?? 0
  writeNumber(into, kind, bits, index)
  if (index === 0) writeText(into, name)
  writeText(into, value)
}

function writeText(into: ByteWriter, text: string): void {
  writeNumber(into, 0, 7, text.length)
  into.text(text)
}

function writeNumber(into: ByteWriter, kind: number, bits: number, value: number): void {
  const most = (1 << bits) - 1
  if (value < most) return into.byte(kind | value)
  into.byte(kind | most)
  let rest = value - most
  for (; rest >= 0x80; rest >>>= 7) into.byte((rest & 0x7f) | 0x80)
  into.byte(rest)
}

function staticFields(): Map<string, number> {
  const fields = new Map<string, number>()
  for (let entry = 0; entry < STATIC_ENTRIES; entry++) {
    if (STATIC_TABLE[2 * entry + 1] !== '') fields.set(`${STATIC_TABLE[2 * entry]}:${STATIC_TABLE[2 * entry + 1]}`, entry + 1)
  }
  return fields
}
