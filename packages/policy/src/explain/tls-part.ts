import { X509Certificate } from 'node:crypto'
import { connectionTls, tlsServerOf } from '@gatewright/api/peers'
import type { CertificatePart, TlsDemand, TlsPart } from '../explanation.ts'
import type { PolicyServer, Reply } from '../policy-server.ts'
import type { Question } from '../question.ts'

/** What an explanation says of the connection; null for a request in the clear. */
export function tlsPart({ configuration }: PolicyServer, question: Question, { handshake, record }: Reply): TlsPart | null {
  const { tls = null, localAddress, localPort } = question
  if (tls === null || handshake === null) return null
  const host = configuration.hostAt(localAddress, localPort, tls.serverName)
  const server = configuration.offered(tlsServerOf)?.(host) ?? null
  const [main] = record.requests
  const view = main === undefined ? null : (configuration.offered(connectionTls)?.(main.request.connection) ?? null)
  const { protocol, cipher, serverCertificate, failure } = handshake
  const sent = serverCertificate === null ? undefined : Buffer.from(serverCertificate)
  const own = sent === undefined ? undefined : server?.certificates.find(({ der, presented = der }) => sent.equals(presented))
  return {
    serverName: tls.serverName,
    host: { name: host.serverName, place: host.isVirtual ? { file: host.file, line: host.line } : null },
    protocol,
    cipher,
    serverCertificate: sent === undefined ? null : certificatePart(Buffer.from(own?.der ?? sent), own?.file ?? null),
    asks: server?.verifyClient ?? null,
    depth: server?.verifyDepth ?? 0,
    clientCertificate: tls.certificate === null ? null : certificatePart(tls.certificate.pem, tls.certificate.file),
    verification: view === null || view.clientCertificate === null ? null : view.verifyResult,
    failure,
  }
}

function certificatePart(certificate: string | Buffer, file: string | null): CertificatePart {
  const { subject, issuer, validFromDate, validToDate } = new X509Certificate(certificate)
  return {
    subject: nameText(subject),
    issuer: nameText(issuer),
    notBefore: validFromDate.toISOString(),
    notAfter: validToDate.toISOString(),
    file,
  }
}

/** Node writes each part of a name in a line of its own. */
function nameText(name: string): string {
  return /^CN=.*$/m.exec(name)?.[0] ?? name.replaceAll('\n', ', ')
}

/** Directives of sections that depend on the connection. */
const DEMANDING = ['SSLRequireSSL', 'SSLRequire', 'SSLVerifyClient', 'SSLVerifyDepth', 'SSLCipherSuite', 'SSLUserName']

/** Lines of the sections of a request that make it depend on its connection, in the order of merging. */
export function tlsDemands({ configuration }: PolicyServer, { record }: Reply): readonly TlsDemand[] {
  const [main] = record.requests
  if (main === undefined) return []
  const sections = main.steps.flatMap(({ step }) => (step.kind === 'sections' ? step.sections : []))
  const linted = configuration.linted([])
  return sections.flatMap((section) => [
    ...DEMANDING.flatMap((directive) => linted.linesOf(section, directive)).map(demand),
    ...linted
      .linesOf(section, 'SSLOptions')
      .filter(({ text }) => /FakeBasicAuth/i.test(text))
      .map(demand),
  ])
}

function demand({ name, text, file, line }: { name: string; text: string; file: string; line: number }): TlsDemand {
  return { line: `${name} ${text}`.trimEnd(), place: { file, line } }
}
