/** Names and values as FastCGI sends them (section 3.4): lengths of one or four bytes, then the texts, latin1. */
export function encodeNameValues(pairs: Iterable<readonly [name: string, value: string]>): Buffer {
  const list = [...pairs]
  let size = 0
  for (const [name, value] of list) size += lengthSize(name) + lengthSize(value) + name.length + value.length
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const [name, value] of list) {
    at = writeLength(bytes, at, name.length)
    at = writeLength(bytes, at, value.length)
    at += bytes.write(name, at, 'latin1')
    at += bytes.write(value, at, 'latin1')
  }
  return bytes
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

function lengthSize(text: string): number {
  return text.length > SHORT_MAX ? 4 : 1
}

function writeLength(bytes: Buffer, at: number, length: number): number {
  if (length <= SHORT_MAX) return bytes.writeUInt8(length, at)
  return bytes.writeUInt32BE(length + LONG, at)
}

function readLength(bytes: Buffer, at: number): { readonly length: number; readonly next: number } | null {
  if (at >= bytes.length) return null
  if (bytes[at] <= SHORT_MAX) return { length: bytes[at], next: at + 1 }
  return at + 4 > bytes.length ? null : { length: bytes.readUInt32BE(at) - LONG, next: at + 4 }
}
