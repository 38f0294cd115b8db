import { MalformedError } from './malformed.ts'

/** Longer identifiers are not written in decimals: the effort would grow with the square of the length (CVE-2023-2650). */
const LONGEST = 586
/** Up to this, a number that gets seven more bits is exact. */
const LARGEST_EXACT = 2 ** 45

/**
 * @param contents of an OBJECT IDENTIFIER
 * @param offset where it is, for the error
 * @returns dotted decimals; empty text for an identifier longer than 586 bytes, as OpenSSL prints it
 * @throws MalformedError
 */
export function oidText(contents: Buffer, offset: number): string {
  if (contents.length === 0 || contents[contents.length - 1] >= 0x80)
    throw new MalformedError('an OBJECT IDENTIFIER is truncated', offset)
  for (let index = 0, first = true; index < contents.length; first = contents[index++] < 0x80)
    if (first && contents[index] === 0x80) throw new MalformedError('an OBJECT IDENTIFIER has a leading zero', offset)
  if (contents.length > LONGEST) return ''
  const [first, ...others] = arcsOf(contents)
  const top = first < 40 ? 0 : first < 80 ? 1 : 2
  const second = typeof first === 'bigint' ? first - 80n : first - top * 40
  return [top, second, ...others].join('.')
}

/** @param text dotted decimals, at least two numbers @returns the contents of an OBJECT IDENTIFIER */
export function oidContents(text: string): Buffer {
  const [top, second, ...others] = text.split('.').map(BigInt)
  return Buffer.concat([top * 40n + second, ...others].map(base128))
}

/** The numbers of an identifier; those too large for a number as bigint. */
function arcsOf(contents: Buffer): (number | bigint)[] {
  const arcs: (number | bigint)[] = []
  let arc: number | bigint = 0
  for (const byte of contents) {
    if (typeof arc === 'number' && arc > LARGEST_EXACT) arc = BigInt(arc)
    arc = typeof arc === 'number' ? arc * 128 + (byte & 0x7f) : arc * 128n + BigInt(byte & 0x7f)
    if (byte >= 0x80) continue
    arcs.push(arc)
    arc = 0
  }
  return arcs
}

function base128(arc: bigint): Buffer {
  const bytes = [Number(arc & 0x7fn)]
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80)
  return Buffer.from(bytes)
}
