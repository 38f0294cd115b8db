import type { DerReader } from './der-reader.ts'
import { contextConstructed, contextPrimitive } from './der-tags.ts'
import { readOid } from './der-values.ts'
import { MalformedError } from './malformed.ts'
import { type Name, readName } from './name.ts'
import { oidText } from './oid.ts'

/** One name of a subjectAltName, or of another extension with names (RFC 5280, section 4.2.1.6). */
export type GeneralName =
  | { readonly kind: 'email' | 'dns' | 'uri'; readonly contents: Buffer }
  /** 4 or 16 bytes; in name constraints twice as many. */
  | { readonly kind: 'ip'; readonly contents: Buffer }
  /** A name of a type of its own; `tag` and `contents` are those of its value. */
  | { readonly kind: 'other'; readonly oid: string; readonly tag: number; readonly contents: Buffer }
  | { readonly kind: 'directory'; readonly name: Name }
  | { readonly kind: 'registered'; readonly oid: string }
  | { readonly kind: 'x400' | 'edi' }

/** Reads names up to the end of a reader. @throws MalformedError */
export function readGeneralNames(reader: DerReader): GeneralName[] {
  const names: GeneralName[] = []
  while (reader.more) names.push(readGeneralName(reader))
  return names
}

/** Reads one name. @throws MalformedError */
export function readGeneralName(reader: DerReader): GeneralName {
  const value = reader.next()
  const contents = reader.contents(value)
  switch (value.tag) {
    case contextConstructed(0):
      return readOtherName(reader.inside(value))
    case contextPrimitive(1):
      return { kind: 'email', contents }
    case contextPrimitive(2):
      return { kind: 'dns', contents }
    case contextConstructed(3):
      return { kind: 'x400' }
    case contextConstructed(4):
      return readDirectoryName(reader.inside(value))
    case contextConstructed(5):
      return { kind: 'edi' }
    case contextPrimitive(6):
      return { kind: 'uri', contents }
    case contextPrimitive(7):
      return { kind: 'ip', contents }
    case contextPrimitive(8):
      return { kind: 'registered', oid: oidText(contents, value.at) }
    default:
      throw new MalformedError('a name of an unknown kind', value.at)
  }
}

function readOtherName(reader: DerReader): GeneralName {
  const oid = readOid(reader)
  const explicit = reader.enter(contextConstructed(0))
  reader.finish()
  const value = explicit.next()
  explicit.finish()
  return { kind: 'other', oid, tag: value.tag, contents: explicit.contents(value) }
}

function readDirectoryName(reader: DerReader): GeneralName {
  const name = readName(reader)
  reader.finish()
  return { kind: 'directory', name }
}
