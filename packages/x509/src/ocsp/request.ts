import { derExtension } from '../build/extensions.ts'
import { derExplicit, derOctets, derSequence } from '../der-writer.ts'
import { type CertificateId, derCertificateId } from './certificate-id.ts'

/** id-pkix-ocsp-nonce. */
export const OCSP_NONCE = '1.3.6.1.5.5.7.48.1.2'

/** The DER of a request for the status of one certificate (RFC 6960, section 4.1). @param nonce null for none */
export function ocspRequest(id: CertificateId, nonce: Uint8Array | null): Buffer {
  const list = derSequence(derSequence(derCertificateId(id)))
  const extensions = nonce === null ? [] : [derExplicit(2, derSequence(derExtension(OCSP_NONCE, derOctets(nonce))))]
  return derSequence(derSequence(list, ...extensions))
}
