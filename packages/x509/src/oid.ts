import { MalformedError } from './malformed.ts'

/** Longer identifiers are not written in decimals: the effort would grow with the square of the length (CVE-2023-2650). */
const LONGEST = 586

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
  const arcs = [...arcsOf(contents)]
  const [first] = arcs
  const top = first < 80n ? first / 40n : 2n
  return [top, first - top * 40n, ...arcs.slice(1)].join('.')
}

/** @param text dotted decimals, at least two numbers @returns the contents of an OBJECT IDENTIFIER */
export function oidContents(text: string): Buffer {
  const [top, second, ...others] = text.split('.').map(BigInt)
  return Buffer.concat([top * 40n + second, ...others].map(base128))
}

function* arcsOf(contents: Buffer): Generator<bigint> {
  let arc = 0n
  for (const byte of contents) {
    arc = (arc << 7n) | BigInt(byte & 0x7f)
    if (byte >= 0x80) continue
    yield arc
    arc = 0n
  }
}

function base128(arc: bigint): Buffer {
  const bytes = [Number(arc & 0x7fn)]
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80)
  return Buffer.from(bytes)
}
