import type { KeyObject, X509Certificate } from 'node:crypto'
import type { LintFinding, LintRule, ModuleHost } from '@gatewright/api'
import { isMalformed, parseCertificate } from '@gatewright/x509'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { type CertificateFile, securedHosts, titleOf } from './secured-hosts.ts'

/** Signature algorithms with digests that collide, by identifier. */
const WEAK_SIGNATURES: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.2', 'MD2'],
  ['1.2.840.113549.1.1.4', 'MD5'],
  ['1.2.840.113549.1.1.5', 'SHA-1'],
  ['1.2.840.10045.4.1', 'SHA-1'],
  ['1.2.840.10040.4.3', 'SHA-1'],
  ['1.3.14.3.2.29', 'SHA-1'],
])
const LEAST_RSA_BITS = 2048
/** Curves whose keys are shorter than 224 bits are out of use; names of OpenSSL have the number of bits. */
const LEAST_EC_BITS = 224
const HINT = 'get a certificate for a new key: RSA with at least 2048 bits, or ECDSA with P-256, signed with SHA-256'

/** Certificates whose keys or signatures can be forged. */
export function weakCertificates(host: ModuleHost<SectionSettings, ServerSettings>): LintRule {
  return {
    about: 'a certificate with a short key, or signed with SHA-1 or an older digest',
    severity: 'warning',
    find: (configuration) =>
      securedHosts(host, configuration).flatMap(({ pairs, chain }) => {
        const files = [...pairs.map(({ certificate }) => certificate), ...(chain === null ? [] : [chain])]
        return files.flatMap((file) => file.certificates.flatMap((certificate) => findingIn(certificate, file)))
      }),
  }
}

function findingIn(certificate: X509Certificate, { path, place }: CertificateFile): readonly LintFinding[] {
  const weaknesses = [keyWeakness(certificate.publicKey), signatureWeakness(certificate)].filter((text) => text !== '')
  if (weaknesses.length === 0) return []
  return [{ ...place, message: `the certificate of ${titleOf(certificate)} in ${path} ${weaknesses.join(' and ')}`, hint: HINT }]
}

function keyWeakness({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  const { modulusLength, namedCurve } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'dsa') return 'has a DSA key, which TLS 1.3 does not use'
  if (modulusLength !== undefined && modulusLength < LEAST_RSA_BITS) return `has an RSA key of only ${modulusLength} bits`
  const bits = Number(/\d{3}/.exec(namedCurve ?? '')?.[0] ?? LEAST_EC_BITS)
  return bits < LEAST_EC_BITS ? `has a key of the curve ${namedCurve}` : ''
}

/** Nobody verifies the signature of a root. */
function signatureWeakness(certificate: X509Certificate): string {
  if (certificate.subject === certificate.issuer) return ''
  const parsed = parseCertificate(certificate.raw)
  const digest = isMalformed(parsed) ? undefined : WEAK_SIGNATURES.get(parsed.signatureAlgorithm.oid)
  return digest === undefined ? '' : `is signed with ${digest}`
}
