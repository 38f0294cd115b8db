import { decodeRecord, encodeRecord, type StoredRecord } from '@gatewright/disk-cache'

/** What is kept under a key. */
export interface Entry {
  readonly record: StoredRecord
  /** Empty for a list of the fields in Vary. */
  readonly body: Uint8Array
}

/** The two lengths before the record and the body. */
const LENGTHS = 8

/** The bytes of an entry: the lengths of record and body, then both. */
export function encodeEntry({ record, body }: Entry): Buffer {
  const text = encodeRecord(record)
  const lengths = Buffer.alloc(LENGTHS)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(body.length, 4)
  return Buffer.concat([lengths, text, body])
}

/** The entry in bytes; null if they are damaged, or of another format. */
export function decodeEntry(data: Uint8Array): Entry | null {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length)
  if (bytes.length < LENGTHS) return null
  const end = LENGTHS + bytes.readUInt32BE(0)
  if (bytes.length !== end + bytes.readUInt32BE(4)) return null
  try {
    const record = decodeRecord(bytes.subarray(LENGTHS, end))
    return record === null ? null : { record, body: bytes.subarray(end) }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
