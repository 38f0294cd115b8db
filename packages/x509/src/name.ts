import type { DerReader, DerValue } from './der-reader.ts'
import { BIT_STRING, SEQUENCE, SET } from './der-tags.ts'
import { readOid } from './der-values.ts'
import { MalformedError } from './malformed.ts'
import { isWellFormed } from './string-octets.ts'

/** One attribute of a distinguished name, for instance CN=localhost. */
export interface NameAttribute {
  /** The type in dotted decimals. */
  readonly oid: string
  /** The identifier octet of the value, which gives its string type. */
  readonly tag: number
  /** What OpenSSL takes for the characters: the contents of the value, of a SEQUENCE the complete value, of a BIT STRING the bits. */
  readonly contents: Buffer
  /** The value with its identifier and length octets. */
  readonly der: Buffer
}

/** A distinguished name: of an issuer, a subject, or a directoryName. */
export interface Name {
  /** The relative names in the order of the certificate. Most have one attribute. */
  readonly relativeNames: readonly (readonly NameAttribute[])[]
  /** The DER of the complete name: equal names of certificates usually have equal DER. */
  readonly der: Buffer
}

/** Reads a Name (RFC 5280, section 4.1.2.4). @throws MalformedError */
export function readName(reader: DerReader): Name {
  const value = reader.next(SEQUENCE)
  const relativeNames: NameAttribute[][] = []
  for (const names = reader.inside(value); names.more; ) {
    const attributes: NameAttribute[] = []
    for (const set = names.enter(SET); set.more; ) attributes.push(readAttribute(set))
    relativeNames.push(attributes)
  }
  return { relativeNames, der: reader.whole(value) }
}

function readAttribute(set: DerReader): NameAttribute {
  const reader = set.enter(SEQUENCE)
  const oid = readOid(reader)
  const value = reader.next()
  reader.finish()
  const contents = characterOctets(reader, value)
  if (!isWellFormed(value.tag, contents)) throw new MalformedError('a string is not valid in its character set', value.at)
  return { oid, tag: value.tag, contents, der: reader.whole(value) }
}

function characterOctets(reader: DerReader, value: DerValue): Buffer {
  if (value.tag === SEQUENCE) return reader.whole(value)
  const contents = reader.contents(value)
  return value.tag === BIT_STRING ? contents.subarray(1) : contents
}
