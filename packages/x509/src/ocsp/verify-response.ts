import { X509Certificate } from 'node:crypto'
import { parseCertificate } from '../certificate.ts'
import { extendedKeyUsage } from '../extension-values.ts'
import { isMalformed, orMalformed } from '../malformed.ts'
import { isSignatureOf } from '../signature.ts'
import { keyHash } from './certificate-id.ts'
import type { BasicResponse, SingleResponse } from './response.ts'

const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'

/** Who may sign responses about certificates of an authority. */
export interface ResponseSigners {
  /** The authority: it may sign itself, or certify others for OCSP. */
  readonly issuer: X509Certificate
  /** Certificates that are trusted in any case. */
  readonly trusted: readonly X509Certificate[]
}

/** Whether the signer of a response is one of those that may sign it, and its signature is right (RFC 6960, section 4.2.2.2). */
export function isResponseVerified(response: BasicResponse, { issuer, trusted }: ResponseSigners, now: Date): boolean {
  const explicit = trusted.find((one) => isResponder(one, response))
  if (explicit !== undefined) return isSignedBy(response, explicit)
  const sent = response.certificates.flatMap(readable)
  const signer = [...sent, issuer].find((one) => isResponder(one, response))
  if (signer === undefined || !isValid(signer, now)) return false
  return (signer.raw.equals(issuer.raw) || isDelegate(signer, issuer)) && isSignedBy(response, signer)
}

/**
 * Whether a status is of the present, as OpenSSL's OCSP_check_validity.
 * @param skew seconds by which clocks may differ
 * @param maxAge seconds; null for any age
 */
export function isTimely({ thisUpdate, nextUpdate }: SingleResponse, now: Date, skew: number, maxAge: number | null): boolean {
  const [time, from, until] = [now.getTime(), thisUpdate.date?.getTime(), nextUpdate?.date?.getTime()]
  if (from === undefined || from > time + skew * 1000) return false
  if (maxAge !== null && from < time - (maxAge + skew) * 1000) return false
  if (nextUpdate === undefined) return true
  return until !== undefined && until >= time - skew * 1000 && until >= from
}

function isResponder(certificate: X509Certificate, { responder }: BasicResponse): boolean {
  const parsed = parseCertificate(certificate.raw)
  if (isMalformed(parsed)) return false
  const matches = orMalformed(() => {
    const found = 'name' in responder ? parsed.subject.der.equals(responder.name) : keyHash(parsed).equals(responder.keyHash)
    return { found }
  })
  return !isMalformed(matches) && matches.found
}

function isDelegate(signer: X509Certificate, issuer: X509Certificate): boolean {
  const parsed = parseCertificate(signer.raw)
  if (isMalformed(parsed) || extendedKeyUsage(parsed)?.includes(OCSP_SIGNING) !== true) return false
  try {
    return signer.checkIssued(issuer) && signer.verify(issuer.publicKey)
  } catch {
    return false
  }
}

function isValid(certificate: X509Certificate, now: Date): boolean {
  return Date.parse(certificate.validFrom) <= now.getTime() && now.getTime() <= Date.parse(certificate.validTo)
}

function isSignedBy({ signedPart, signatureAlgorithm, signature }: BasicResponse, signer: X509Certificate): boolean {
  try {
    return isSignatureOf(signer.publicKey, signatureAlgorithm, signedPart, signature)
  } catch {
    // OpenSSL cannot read the signer's key.
    return false
  }
}

function readable(der: Buffer): X509Certificate[] {
  try {
    return [new X509Certificate(der)]
  } catch {
    return []
  }
}
