import type { DerReader } from './der-reader.ts'
import { SEQUENCE } from './der-tags.ts'
import { readOid } from './der-values.ts'
import { objectName } from './object-names.ts'

/** An algorithm of a key or a signature. */
export interface Algorithm {
  /** In dotted decimals. */
  readonly oid: string
  /** OpenSSL's long name, for instance `sha256WithRSAEncryption`, `id-ecPublicKey`; `UNKNOWN` for one that has none. */
  readonly name: string
  /** The complete AlgorithmIdentifier, parameters included. */
  readonly der: Buffer
}

/** Reads an AlgorithmIdentifier (RFC 5280, section 4.1.1.2). @throws MalformedError */
export function readAlgorithm(reader: DerReader): Algorithm {
  const value = reader.next(SEQUENCE)
  const inside = reader.inside(value)
  const oid = readOid(inside)
  if (inside.more) inside.next()
  inside.finish()
  return { oid, name: objectName(oid)?.long ?? 'UNKNOWN', der: reader.whole(value) }
}
