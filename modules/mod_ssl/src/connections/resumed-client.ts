import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { isMalformed, nameAsRfc2253, parseCertificate, parseCrl, readPem } from '@gatewright/x509'
import type { PreparedServer } from '../start/prepare-server.ts'
import type { ClientVerdict } from './verify-client.ts'

/**
 * A session keeps the result of verifying its client, which time may have made untrue: the certificate, those that
 * may have issued it, or a revocation list has expired since. Then the client is refused, as in a full handshake;
 * httpd accepts it.
 */
export function judgeResumed(socket: TLSSocket, prepared: PreparedServer, verdict: ClientVerdict, now: number): ClientVerdict {
  if (!verdict.accepted || verdict.chain.length === 0 || !socket.isSessionReused()) return verdict
  const { chain } = verdict
  const ends = endsOf(prepared)
  const issuers = ends.trusted.filter((one) => chain[0].checkIssued(one))
  const isOver = (certificate: X509Certificate): boolean => Date.parse(certificate.validTo) < now
  if (isOver(chain[0]) || (issuers.length > 0 && issuers.every(isOver))) return refused(chain, EXPIRED)
  return (listEndOf(chain[0], ends) ?? now) < now ? refused(chain, LIST_EXPIRED) : verdict
}

const EXPIRED = { code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' }
const LIST_EXPIRED = { code: 'CRL_HAS_EXPIRED', message: 'CRL has expired' }

function refused(chain: readonly X509Certificate[], error: typeof EXPIRED): ClientVerdict {
  return { accepted: false, chain, error, tooLong: null }
}

interface Ends {
  readonly trusted: readonly X509Certificate[]
  /** When the revocation lists of an issuer end, in milliseconds since 1970, by its name. */
  readonly lists: ReadonlyMap<string, number>
}

const ENDS = new WeakMap<PreparedServer, Ends>()

function endsOf(prepared: PreparedServer): Ends {
  let ends = ENDS.get(prepared)
  if (ends === undefined) {
    const { trusted, revocationLists } = prepared.authorities
    ends = { trusted: trusted.map((pem) => new X509Certificate(pem)), lists: new Map(revocationLists.flatMap(endsOfLists)) }
    ENDS.set(prepared, ends)
  }
  return ends
}

function endsOfLists(pem: string): (readonly [string, number])[] {
  return readPem(pem).flatMap(({ der }) => {
    const list = der === undefined ? undefined : parseCrl(der)
    if (list === undefined || isMalformed(list) || list.nextUpdate === undefined) return []
    return [[nameAsRfc2253(list.issuer), list.nextUpdate.date?.getTime() ?? 0]]
  })
}

/** Undefined where no list is needed. */
function listEndOf(certificate: X509Certificate, { lists }: Ends): number | undefined {
  if (lists.size === 0) return undefined
  const parsed = parseCertificate(certificate.raw)
  return isMalformed(parsed) ? 0 : lists.get(nameAsRfc2253(parsed.issuer))
}
