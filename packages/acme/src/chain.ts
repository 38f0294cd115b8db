import { X509Certificate } from 'node:crypto'
import { AcmeFailure } from './acme-failure.ts'

/** Certificates of the longest chain that is taken. */
const LONGEST_CHAIN = 10
const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/**
 * The certificates of a downloaded chain in PEM, the server's own first. Everything else in the answer is left
 * out (RFC 8555 section 9.1).
 * @throws AcmeFailure when there is none, or when one cannot be read
 */
export function chainFrom(text: string, url: string): readonly string[] {
  const blocks = text.match(BLOCK) ?? []
  if (blocks.length === 0 || blocks.length > LONGEST_CHAIN) {
    throw new AcmeFailure(`Unable to retrieve certificate chain: <${url}> has ${blocks.length} certificates`)
  }
  try {
    return blocks.map((block) => new X509Certificate(block).toString())
  } catch {
    throw new AcmeFailure(`Unable to retrieve certificate chain: <${url}> has a certificate that cannot be read`)
  }
}
