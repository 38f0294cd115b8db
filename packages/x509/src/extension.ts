import type { DerReader } from './der-reader.ts'
import { OCTET_STRING, SEQUENCE } from './der-tags.ts'
import { readBooleanOrFalse, readOid } from './der-values.ts'

/** An extension of a certificate, a CRL or a request. */
export interface Extension {
  /** In dotted decimals. */
  readonly oid: string
  readonly critical: boolean
  /** The DER inside the OCTET STRING. */
  readonly value: Buffer
}

/** Reads Extensions (RFC 5280, section 4.1.2.9). @throws MalformedError */
export function readExtensions(reader: DerReader): Extension[] {
  const extensions: Extension[] = []
  for (const list = reader.enter(SEQUENCE); list.more; ) {
    const inside = list.enter(SEQUENCE)
    const oid = readOid(inside)
    const critical = readBooleanOrFalse(inside)
    const value = inside.contents(inside.next(OCTET_STRING))
    inside.finish()
    extensions.push({ oid, critical, value })
  }
  return extensions
}

/** The value of an extension. @returns undefined if it is absent, or present twice, which RFC 5280 forbids */
export function extensionValue(extensions: readonly Extension[], oid: string): Buffer | undefined {
  const found = extensions.filter((extension) => extension.oid === oid)
  return found.length === 1 ? found[0].value : undefined
}
