import { eachField } from './head-block.ts'

/** Bytes of a block beside its fields: two changes of the table's size, and a priority. */
const BLOCK_COST = 17

/** Bytes of a field beside its name and value: their lengths. */
const FIELD_COST = 12

/** The standard of nghttp2. */
const STANDARD_MAX = 65_536

/** A line has at least 5 bytes, so no estimate exceeds this multiple of its text. */
const LARGEST_RATIO = 3

/**
 * Whether the header block of a response is too large to be sent, by the estimate with which nghttp2 applies
 * H2MaxHeaderBlockLen: every field literal, with its longest lengths.
 * @param limit bytes; 0 for the standard
 * @param parts fields as lines
 */
export function exceedsBlock(limit: number, status: number, ...parts: readonly string[]): boolean {
  const most = limit > 0 ? limit : STANDARD_MAX
  let length = 0
  for (const part of parts) length += part.length
  if (LARGEST_RATIO * length + BLOCK_COST + STATUS_COST <= most) return false
  return blockBound(status, parts) > most
}

const STATUS_NAME = ':status'
const STATUS_COST = FIELD_COST + STATUS_NAME.length + 3

function blockBound(status: number, parts: readonly string[]): number {
  let bound = BLOCK_COST + FIELD_COST + STATUS_NAME.length + String(status).length
  for (const part of parts) {
    eachField(part, (name, value) => {
      bound += FIELD_COST + name.length + value.length
    })
  }
  return bound
}
