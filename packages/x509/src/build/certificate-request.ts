import type { KeyObject } from 'node:crypto'
import { contextConstructed } from '../der-tags.ts'
import { derInteger, derOid, derSequence, derSet, derValue } from '../der-writer.ts'
import { altNamesExtension, mustStapleExtension } from './extensions.ts'
import { derName, type NameParts } from './names.ts'
import { publicKeyInfo, signedStructure } from './signer.ts'

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'

/** What a certificate signing request asks for. */
export interface RequestPlan {
  /** The private key of the certificate. */
  readonly key: KeyObject
  /** Host names in ASCII and IP addresses; at least one. */
  readonly hosts: readonly string[]
  /** The subject; empty unless given, as ACME prefers. */
  readonly subject?: NameParts
  /** Ask for a certificate that requires OCSP stapling of its server. */
  readonly mustStaple?: true
}

/** @returns the DER of a PKCS #10 request (RFC 2986) @throws Error for a name that is not ASCII, or a key that cannot sign certificates */
export function certificateRequest({ key, hosts, subject = [], mustStaple }: RequestPlan): Buffer {
  const extensions = derSequence(altNamesExtension(hosts), ...(mustStaple ? [mustStapleExtension()] : []))
  const attribute = derSequence(derOid(EXTENSION_REQUEST), derSet(extensions))
  const attributes = derValue(contextConstructed(0), attribute)
  return signedStructure(derSequence(derInteger(0), derName(subject), publicKeyInfo(key), attributes), key)
}
