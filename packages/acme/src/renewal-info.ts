import { authorityKeyIdentifier, isMalformed, parseCertificate } from '@gatewright/x509'
import type { Directory } from './directory.ts'
import { retryAfter, statusFailure } from './failure-of.ts'
import type { HttpsClient } from './https-client.ts'
import { objectOf, parseObject, textOf } from './json-fields.ts'

/** When a CA wants a certificate to be renewed (RFC 9773). Times in milliseconds. */
export interface RenewalWindow {
  readonly start: number
  readonly end: number
  /** A page that explains it; '' without. */
  readonly explanation: string
  /** Wait before asking again; 0 when the CA does not say. */
  readonly retryAfter: number
}

/**
 * The identifier of a certificate in renewal information (RFC 9773 section 4.1); undefined when it does not name
 * the key of its issuer.
 * @param der the certificate
 */
export function renewalIdOf(der: Uint8Array): string | undefined {
  const certificate = parseCertificate(der)
  if (isMalformed(certificate)) return undefined
  const key = authorityKeyIdentifier(certificate)
  if (key === undefined) return undefined
  return `${Buffer.from(key).toString('base64url')}.${serialOctets(certificate.serial).toString('base64url')}`
}

/** @returns null when the CA has no renewal information, or none that makes sense @throws AcmeFailure when it cannot be asked */
export async function renewalWindow(client: HttpsClient, directory: Directory, id: string): Promise<RenewalWindow | null> {
  if (directory.renewalInfo === '') return null
  const url = `${directory.renewalInfo.replace(/\/$/, '')}/${id}`
  const reply = await client.exchange({ method: 'GET', url })
  if (reply.status !== 200) throw statusFailure(reply)
  const object = parseObject(reply.body, url)
  const suggested = objectOf(object, 'suggestedWindow')
  const [start, end] = [Date.parse(textOf(suggested, 'start')), Date.parse(textOf(suggested, 'end'))]
  if (Number.isNaN(start) || Number.isNaN(end) || end <= start) return null
  const explanation = textOf(object, 'explanationURL')
  return {
    start,
    end,
    explanation: /^https?:\/\/[!-~]{1,500}$/.test(explanation) ? explanation : '',
    retryAfter: retryAfter(reply, Date.now()),
  }
}

/** The content of the DER integer: a leading zero where the number would be negative. */
function serialOctets(hex: string): Buffer {
  const even = hex.length % 2 === 1 ? `0${hex}` : hex
  const octets = Buffer.from(even, 'hex')
  return octets.length > 0 && octets[0] >= 0x80 ? Buffer.concat([Buffer.of(0), octets]) : octets
}
