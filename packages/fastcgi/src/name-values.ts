/** Names and values as FastCGI sends them (section 3.4): lengths of one or four bytes, then the texts. The text is latin1. */
export function nameValuesText(pairs: Iterable<readonly [name: string, value: string]>): string {
  let text = ''
  for (const [name, value] of pairs) text += lengthText(name.length) + lengthText(value.length) + name + value
  return text
}

/** The opposite; null if the bytes are no such list. */
export function decodeNameValues(bytes: Buffer): [name: string, value: string][] | null {
  const pairs: [string, string][] = []
  let at = 0
  while (at < bytes.length) {
    const name = readLength(bytes, at)
    const value = name === null ? null : readLength(bytes, name.next)
    if (name === null || value === null) return null
    const nameEnd = value.next + name.length
    const end = nameEnd + value.length
    if (end > bytes.length) return null
    pairs.push([bytes.toString('latin1', value.next, nameEnd), bytes.toString('latin1', nameEnd, end)])
    at = end
  }
  return pairs
}

const SHORT_MAX = 127
const LONG = 0x80_00_00_00

/** A character for each byte. */
function lengthText(length: number): string {
  if (length <= SHORT_MAX) return SHORT_LENGTHS[length]
  return String.fromCharCode(((length >>> 24) & 255) | 128, (length >>> 16) & 255, (length >>> 8) & 255, length & 255)
}

const SHORT_LENGTHS: readonly string[] = Array.from({ length: SHORT_MAX + 1 }, (_, length) => String.fromCharCode(length))

function readLength(bytes: Buffer, at: number): { readonly length: number; readonly next: number } | null {
  if (at >= bytes.length) return null
  if (bytes[at] <= SHORT_MAX) return { length: bytes[at], next: at + 1 }
  return at + 4 > bytes.length ? null : { length: bytes.readUInt32BE(at) - LONG, next: at + 4 }
}
