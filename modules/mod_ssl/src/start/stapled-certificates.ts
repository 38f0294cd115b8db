import { X509Certificate } from 'node:crypto'
import {
  authorityInformation,
  type CertificateId,
  certificateForLog,
  certificateIdOf,
  isMalformed,
  parseCertificate,
} from '@gatewright/x509'
import { type Responder, responderOf } from '../ocsp/responder.ts'
import type { StaplingSettings } from '../settings.ts'
import type { CertificatePair } from './certificate-pairs.ts'
import { certificatesIn } from './pem.ts'
import type { StartLog } from './start-log.ts'

/** A certificate of the server for which OCSP responses are sent along. */
export interface StapledCertificate {
  readonly certificate: X509Certificate
  readonly issuer: X509Certificate
  readonly id: CertificateId
  readonly responder: Responder
}

/**
 * SSLUseStapling: whom to ask about each certificate of a server; null for one that cannot be asked about, which is
 * logged.
 * @param trusted PEM of the server's authorities, in which issuers are looked for as well
 */
export function stapledCertificates(
  pairs: readonly CertificatePair[],
  trusted: readonly string[],
  settings: Readonly<StaplingSettings>,
  log: StartLog,
): readonly (StapledCertificate | null)[] {
  return pairs.map((pair) => {
    if (pair.isStandIn) return null
    const stapled = stapledCertificate(pair, trusted, settings, log)
    if (stapled === null) log.write('error', 'AH02604', `Unable to configure certificate ${pair.id} for stapling`)
    return stapled
  })
}

function stapledCertificate(
  { certificate: pem, parsed: certificate }: CertificatePair,
  trusted: readonly string[],
  { forceUrl }: Readonly<StaplingSettings>,
  log: StartLog,
): StapledCertificate | null {
  const readable = parseCertificate(certificate.raw)
  if (isMalformed(readable)) return null
  const fail = (code: string, text: string): null => {
    log.write('error', code, `${text}${certificateForLog(readable, text.length)}`)
    return null
  }
  const issuer = [...certificatesIn(pem), ...trusted].flatMap(x509).find((one) => hasIssued(one, certificate))
  const authority = issuer === undefined ? undefined : parseCertificate(issuer.raw)
  const id = authority === undefined || isMalformed(authority) ? undefined : certificateIdOf(readable, authority)
  if (issuer === undefined || id === undefined || isMalformed(id)) {
    return fail('AH02217', "ssl_stapling_init_cert: can't retrieve issuer certificate!")
  }
  const url = forceUrl ?? authorityInformation(readable).ocsp[0]
  if (url === undefined)
    return fail('AH02218', 'ssl_stapling_init_cert: no OCSP URI in certificate and no SSLStaplingForceURL set')
  const responder = responderOf(url)
  return 'error' in responder
    ? fail('AH01939', `stapling_renew_response: Error parsing uri ${url}`)
    : { certificate, issuer, id, responder }
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    return false
  }
}

function x509(pem: string): X509Certificate[] {
  try {
    return [new X509Certificate(pem)]
  } catch {
    return []
  }
}
