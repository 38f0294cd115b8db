import type { X509Certificate } from 'node:crypto'
import {
  authorityKeyIdentifier,
  hasReadableExtensions,
  isMalformed,
  isSameName,
  parseCertificate,
  subjectKeyIdentifier,
} from '@gatewright/x509'

const NIST_SIGNATURES = '2.16.840.1.101.3.4.3.'

/** Kinds of keys, and the algorithms of the signatures that they make. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  rsa: [
    ...['2', '3', '4', '5', '10', '11', '12', '13', '14', '15', '16'].map((last) => `1.2.840.113549.1.1.${last}`),
    '1.3.14.3.2.29',
    ...['13', '14', '15', '16'].map((last) => `${NIST_SIGNATURES}${last}`),
  ],
  'rsa-pss': ['1.2.840.113549.1.1.10'],
  ec: [
    ...['1', '3.1', '3.2', '3.3', '3.4'].map((last) => `1.2.840.10045.4.${last}`),
    ...['9', '10', '11', '12'].map((last) => `${NIST_SIGNATURES}${last}`),
  ],
  dsa: ['1.2.840.10040.4.3', ...['1', '2', '3', '4', '5', '6', '7', '8'].map((last) => `${NIST_SIGNATURES}${last}`)],
  ed25519: ['1.3.101.112'],
  ed448: ['1.3.101.113'],
}

/**
 * Whether OpenSSL takes a certificate for the issuer of another one while it looks for issuers: by their names, identifiers
 * and kind of key, whatever the issuer may be used for, and before it verifies the signature.
 */
export function isNamedIssuer(issuer: X509Certificate, certificate: X509Certificate): boolean {
  if (certificate.checkIssued(issuer)) return true
  const [above, below] = [parseCertificate(issuer.raw), parseCertificate(certificate.raw)]
  if (isMalformed(above) || isMalformed(below)) return false
  if (!isSameName(above.subject, below.issuer) || !hasReadableExtensions(above) || !hasReadableExtensions(below)) return false
  const [own, named] = [subjectKeyIdentifier(above), authorityKeyIdentifier(below)]
  if (own !== undefined && named !== undefined && !own.equals(named)) return false
  return ALGORITHMS[keyType(issuer)]?.includes(below.signatureAlgorithm.oid) === true
}

/** Whether a certificate names itself as its issuer. */
export function isSelfIssued(certificate: X509Certificate): boolean {
  return isNamedIssuer(certificate, certificate)
}

/** '' for a key that OpenSSL cannot read: it may be that of a certificate that the client sent. */
function keyType(certificate: X509Certificate): string {
  try {
    return certificate.publicKey.asymmetricKeyType ?? ''
  } catch {
    return ''
  }
}
