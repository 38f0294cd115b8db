import type { X509Certificate } from 'node:crypto'
import {
  type Crl,
  DerReader,
  isMalformed,
  isSignatureOf,
  keyUsage,
  nameHash,
  orMalformed,
  parseCertificate,
  parseCrl,
  readBits,
  readPem,
  tags,
} from '@gatewright/x509'
import type { RevocationCheck } from '../settings.ts'
import type { VerifyError } from './node-tls.ts'

/** The usage of a key that signs lists. */
const CRL_SIGN = 'cRLSign'
/** The reason of an entry that takes the certificate from the list. */
const REMOVED = 8

const ERRORS = {
  missing: { code: 'UNABLE_TO_GET_CRL', message: 'unable to get certificate CRL' },
  signature: { code: 'CRL_SIGNATURE_FAILURE', message: 'CRL signature failure' },
  early: { code: 'CRL_NOT_YET_VALID', message: 'CRL is not yet valid' },
  late: { code: 'CRL_HAS_EXPIRED', message: 'CRL has expired' },
  revoked: { code: 'CERT_REVOKED', message: 'certificate revoked' },
  usage: { code: 'KEYUSAGE_NO_CRL_SIGN', message: 'key usage does not include CRL signing' },
  unhandled: { code: 'UNHANDLED_CRITICAL_CRL_EXTENSION', message: 'unhandled critical CRL extension' },
} as const satisfies Readonly<Record<string, VerifyError>>

/** The codes of all errors of lists. */
export const LIST_ERRORS: readonly string[] = Object.values(ERRORS).map(({ code }) => code)

/** The error of a certificate whose list is required and cannot be found. */
export const NO_LIST: VerifyError = ERRORS.missing

interface RevocationList {
  readonly crl: Crl
  /** By which the list is found. */
  readonly issuer: string
  /** Results of verifying its signature, by the fingerprint of the issuer's certificate. */
  readonly signatures: Map<string, boolean>
}

/**
 * SSLCARevocationCheck where OpenSSL's own check, of the whole chain with every list present, is not what is
 * wanted: Node offers no other.
 */
export class Revocation {
  readonly #check: RevocationCheck
  readonly #lists: readonly RevocationList[]

  /** @param lists in PEM; one that cannot be parsed counts as missing */
  constructor(check: RevocationCheck, lists: readonly string[]) {
    this.#check = check
    this.#lists = lists.flatMap((text) => {
      const der = readPem(text)[0]?.der
      const crl = der === undefined ? null : parseCrl(der)
      if (crl === null || isMalformed(crl)) return []
      return [{ crl, issuer: nameHash(crl.issuer), signatures: new Map<string, boolean>() }]
    })
  }

  /**
   * The first error of a chain, and at which place.
   * @param path from the client's certificate to the trusted one
   * @param excusesMissing whether no_crl_for_cert_ok applies
   */
  errorOf(
    path: readonly X509Certificate[],
    excusesMissing: boolean,
  ): { readonly error: VerifyError; readonly depth: number } | null {
    const checked = this.#check.whose === 'leaf' ? path.slice(0, 1) : path
    for (const [depth, certificate] of checked.entries()) {
      const error = this.#errorOf(certificate, path[depth + 1] ?? certificate)
      if (error !== null && !(error === ERRORS.missing && this.#check.missingIsFine && excusesMissing)) return { error, depth }
    }
    return null
  }

  #errorOf(certificate: X509Certificate, issuer: X509Certificate): VerifyError | null {
    const [subject, authority] = [parseCertificate(certificate.raw), parseCertificate(issuer.raw)]
    if (isMalformed(subject) || isMalformed(authority)) return ERRORS.signature
    const now = Date.now()
    const list = this.#listOf(nameHash(subject.issuer), now)
    if (list === undefined) return ERRORS.missing
    const { crl } = list
    const usage = keyUsage(authority)
    if (usage !== undefined && !usage.includes(CRL_SIGN)) return ERRORS.usage
    // Lists of a part of the certificates, and lists of changes, are marked by critical extensions.
    if (crl.extensions.some(({ critical }) => critical)) return ERRORS.unhandled
    if (!isSignedBy(list, issuer)) return ERRORS.signature
    if ((crl.thisUpdate.date?.getTime() ?? Number.POSITIVE_INFINITY) > now) return ERRORS.early
    if (hasExpired(crl, now)) return ERRORS.late
    const entry = crl.revoked.get(subject.serial)
    return entry === undefined || entry.reason === REMOVED ? null : ERRORS.revoked
  }

  /** Of several lists, the newest of those that are valid. */
  #listOf(issuer: string, now: number): RevocationList | undefined {
    const found = this.#lists.filter((list) => list.issuer === issuer)
    const valid = found.filter(({ crl }) => !hasExpired(crl, now))
    return (valid.length > 0 ? valid : found).sort((one, other) => timeOf(other.crl) - timeOf(one.crl))[0]
  }
}

function timeOf({ thisUpdate }: Crl): number {
  return thisUpdate.date?.getTime() ?? 0
}

/** A list without an end does not expire; one whose end is not a time has expired. */
function hasExpired({ nextUpdate }: Crl, now: number): boolean {
  return nextUpdate !== undefined && (nextUpdate.date?.getTime() ?? 0) < now
}

function isSignedBy({ crl, signatures }: RevocationList, issuer: X509Certificate): boolean {
  const known = signatures.get(issuer.fingerprint256)
  if (known !== undefined) return known
  const parts = orMalformed(() => {
    const reader = new DerReader(crl.der).enter(tags.SEQUENCE)
    const signed = reader.whole(reader.next(tags.SEQUENCE))
    const algorithm = reader.whole(reader.next(tags.SEQUENCE))
    return { signed, algorithm, signature: readBits(reader).bytes }
  })
  const holds = !isMalformed(parts) && parts.algorithm.equals(crl.signatureAlgorithm.der) && hasSigned(issuer, crl, parts)
  signatures.set(issuer.fingerprint256, holds)
  return holds
}

/** False also if the issuer's key cannot be read: clients may have sent its certificate. */
function hasSigned(
  issuer: X509Certificate,
  { signatureAlgorithm }: Crl,
  { signed, signature }: { readonly signed: Uint8Array; readonly signature: Uint8Array },
): boolean {
  try {
    return isSignatureOf(issuer.publicKey, signatureAlgorithm, signed, signature)
  } catch {
    return false
  }
}
