import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { hostname } from 'node:os'
import { isMalformed, issueAuthority, issueCertificate, parseCertificate, pemText } from '@gatewright/x509'
import { MAKER } from './stored-pair.ts'

/** A certificate and its key, in memory. */
export interface IssuedPair {
  readonly certificate: X509Certificate
  readonly key: KeyObject
}

const DAY_MS = 86_400_000
/** Clients would have to trust a new authority, so it lasts. */
const AUTHORITY_DAYS = 3650
/** Browsers of Apple accept no more of a private authority than 825, some checks no more than this. */
const SERVER_DAYS = 397
/** A clock of a client, such as that of a virtual machine, may be a little late. */
const LATE_CLOCK_MS = 3_600_000

/** An authority that may sign certificates of servers only directly. @param now ms since the epoch */
export function issueLocalAuthority(now: number): IssuedPair {
  const key = newKey()
  const der = issueAuthority({
    key,
    subject: [
      ['O', MAKER],
      ['CN', `Local authority of ${hostname()}`.slice(0, 64)],
    ],
    notBefore: new Date(now - LATE_CLOCK_MS),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    pathLength: 0,
  })
  return { certificate: new X509Certificate(der), key }
}

/** A certificate for names, of which the first is its common name. @param key that of an earlier certificate, or none */
export function issueForNames(
  authority: IssuedPair,
  names: readonly string[],
  now: number,
  key: KeyObject = newKey(),
): IssuedPair {
  const issuer = parseCertificate(authority.certificate.raw)
  if (isMalformed(issuer)) throw new Error(`the certificate of the authority is malformed: ${issuer.malformed}`)
  const notAfter = Math.min(now + SERVER_DAYS * DAY_MS, authority.certificate.validToDate.getTime())
  const der = issueCertificate({
    key,
    subject: [
      ['O', MAKER],
      ['CN', names[0]],
    ],
    hosts: names,
    notBefore: new Date(now - LATE_CLOCK_MS),
    notAfter: new Date(notAfter),
    issuer: { certificate: issuer, key: authority.key },
  })
  return { certificate: new X509Certificate(der), key }
}

export function certificateText({ certificate }: IssuedPair): string {
  return pemText('CERTIFICATE', certificate.raw)
}

export function keyText({ key }: IssuedPair): string {
  return pemText('PRIVATE KEY', key.export({ type: 'pkcs8', format: 'der' }))
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
}
