import {
  BIT_STRING,
  BOOLEAN,
  contextConstructed,
  contextPrimitive,
  GENERALIZED_TIME,
  IA5_STRING,
  INTEGER,
  NULL,
  OBJECT_IDENTIFIER,
  OCTET_STRING,
  PRINTABLE_STRING,
  SEQUENCE,
  SET,
  UTC_TIME,
  UTF8_STRING,
} from './der-tags.ts'
import { oidContents } from './oid.ts'

/** A value with this identifier octet. */
export function derValue(tag: number, contents: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(contents.length)]), contents])
}

/** A SEQUENCE of values. */
export function derSequence(...values: Uint8Array[]): Buffer {
  return derValue(SEQUENCE, Buffer.concat(values))
}

/** A SET OF values, in the order that DER requires. */
export function derSet(...values: Uint8Array[]): Buffer {
  return derValue(SET, Buffer.concat(values.toSorted(Buffer.compare)))
}

/** An INTEGER that is not negative. @param value a number, or its bytes, most significant first */
export function derInteger(value: number | bigint | Uint8Array): Buffer {
  return derValue(INTEGER, value instanceof Uint8Array ? unsigned(value) : unsigned(bytesOf(BigInt(value))))
}

/** A BOOLEAN. */
export function derBoolean(value: boolean): Buffer {
  return derValue(BOOLEAN, Buffer.from([value ? 0xff : 0]))
}

/** A NULL. */
export function derNull(): Buffer {
  return derValue(NULL, Buffer.alloc(0))
}

/** An OBJECT IDENTIFIER. @param oid in dotted decimals */
export function derOid(oid: string): Buffer {
  return derValue(OBJECT_IDENTIFIER, oidContents(oid))
}

/** An OCTET STRING. */
export function derOctets(contents: Uint8Array): Buffer {
  return derValue(OCTET_STRING, contents)
}

/** A BIT STRING. @param unused how many bits of the last byte are not part of it, 0 to 7 */
export function derBits(bytes: Uint8Array, unused: number = 0): Buffer {
  return derValue(BIT_STRING, Buffer.concat([Buffer.from([unused]), bytes]))
}

/** A BIT STRING of named bits, without trailing zeros. @param bits the numbers of those that are set */
export function derNamedBits(...bits: number[]): Buffer {
  if (bits.length === 0) return derBits(Buffer.alloc(0))
  const last = Math.max(...bits)
  const bytes = Buffer.alloc((last >> 3) + 1)
  for (const bit of bits) bytes[bit >> 3] |= 0x80 >> (bit & 7)
  return derBits(bytes, 7 - (last & 7))
}

/** A UTF8String. */
export function derUtf8(text: string): Buffer {
  return derValue(UTF8_STRING, Buffer.from(text, 'utf8'))
}

/** A PrintableString. @param text ASCII */
export function derPrintable(text: string): Buffer {
  return derValue(PRINTABLE_STRING, Buffer.from(text, 'latin1'))
}

/** An IA5String. @param text ASCII */
export function derIa5(text: string): Buffer {
  return derValue(IA5_STRING, Buffer.from(text, 'latin1'))
}

/** A time in whole seconds: UTCTime before 2050, GeneralizedTime from then on (RFC 5280, section 4.1.2.5). */
export function derTime(time: Date): Buffer {
  const digits = time.toISOString().replace(/\.\d+Z$|[^0-9]/g, '')
  const year = time.getUTCFullYear()
  if (year >= 1950 && year < 2050) return derValue(UTC_TIME, Buffer.from(`${digits.slice(2)}Z`, 'latin1'))
  return derValue(GENERALIZED_TIME, Buffer.from(`${digits}Z`, 'latin1'))
}

/** A value with an explicit context-specific tag. @param tag 0 to 30 */
export function derExplicit(tag: number, value: Uint8Array): Buffer {
  return derValue(contextConstructed(tag), value)
}

/** Contents of a primitive type with an implicit context-specific tag. @param tag 0 to 30 */
export function derImplicit(tag: number, contents: Uint8Array): Buffer {
  return derValue(contextPrimitive(tag), contents)
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length]
  const octets = [...bytesOf(BigInt(length))]
  return [0x80 | octets.length, ...octets]
}

function bytesOf(value: bigint): Buffer {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

/** Contents of an INTEGER: no zeros in front, except the one without which it would be negative. */
function unsigned(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const significant = bytes.subarray(start)
  const negative = significant.length === 0 || significant[0] >= 0x80
  return negative ? Buffer.concat([Buffer.from([0]), significant]) : Buffer.from(significant)
}
