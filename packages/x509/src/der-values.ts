import type { DerReader } from './der-reader.ts'
import { BIT_STRING, BOOLEAN, INTEGER, OBJECT_IDENTIFIER } from './der-tags.ts'
import { MalformedError } from './malformed.ts'
import { oidText } from './oid.ts'

/** Reads a BOOLEAN that may be absent and is false then. OpenSSL accepts an explicit false, and so does this. */
export function readBooleanOrFalse(reader: DerReader): boolean {
  const value = reader.optional(BOOLEAN)
  if (value === undefined) return false
  const contents = reader.contents(value)
  if (contents.length !== 1 || (contents[0] !== 0 && contents[0] !== 0xff))
    throw new MalformedError('a BOOLEAN is neither 0x00 nor 0xff', value.at)
  return contents[0] === 0xff
}

/** Reads an INTEGER: contents in two's complement, as short as possible. @param tag of an INTEGER with an implicit tag */
export function readInteger(reader: DerReader, tag: number = INTEGER): Buffer {
  const value = reader.next(tag)
  const contents = reader.contents(value)
  if (contents.length === 0) throw new MalformedError('an INTEGER is empty', value.at)
  if (contents.length > 1 && (contents[0] === 0 || contents[0] === 0xff) && contents[0] >> 7 === contents[1] >> 7)
    throw new MalformedError('an INTEGER is longer than necessary', value.at)
  return contents
}

/** Reads an INTEGER from 0 to 2^31 - 1. @param tag of an INTEGER or ENUMERATED with another tag */
export function readSmallInteger(reader: DerReader, tag: number = INTEGER): number {
  const at = reader.at
  const contents = readInteger(reader, tag)
  if (contents.length > 4 || contents[0] >= 0x80) throw new MalformedError('an INTEGER is negative or too large', at)
  return contents.readUIntBE(0, contents.length)
}

/** Reads an OBJECT IDENTIFIER. @returns dotted decimals */
export function readOid(reader: DerReader): string {
  const value = reader.next(OBJECT_IDENTIFIER)
  return oidText(reader.contents(value), value.at)
}

/** Bits of a BIT STRING, numbered from the first. */
export interface Bits {
  readonly bytes: Buffer
  /** How many bits of the last byte are not used, 0 to 7. */
  readonly unused: number
}

/** Reads a BIT STRING. @param tag of a BIT STRING with an implicit tag */
export function readBits(reader: DerReader, tag: number = BIT_STRING): Bits {
  const value = reader.next(tag)
  const contents = reader.contents(value)
  if (contents.length === 0 || contents[0] > 7 || (contents.length === 1 && contents[0] !== 0))
    throw new MalformedError('a BIT STRING has a wrong number of unused bits', value.at)
  return { bytes: contents.subarray(1), unused: contents[0] }
}

/** Whether a bit is set. A bit after the last is not set. */
export function hasBit({ bytes }: Bits, bit: number): boolean {
  const byte = bit >> 3
  return byte < bytes.length && (bytes[byte] & (0x80 >> (bit & 7))) !== 0
}
