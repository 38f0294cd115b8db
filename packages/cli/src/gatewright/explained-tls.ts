import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Problem } from '@gatewright/api'
import { tlsServerOf } from '@gatewright/api/peers'
import type { ClientCertificate, LocalEnd, PolicyServer, TlsQuestion } from '@gatewright/policy'
import type { ExplainRequest } from './explain-options.ts'

/** The TLS connection of a question, and what is to be said of it. */
export interface ChosenTls {
  /** Undefined where no module secures connections to the address. */
  readonly tls: TlsQuestion | null | undefined
  readonly notes: readonly string[]
}

/** By the URL's scheme; without one, as the address has it. */
export function chooseTls(
  { configuration }: PolicyServer,
  { scheme, tls, question: { host } }: ExplainRequest,
  certificate: ClientCertificate | null,
  { address, port }: LocalEnd,
): ChosenTls {
  const isSecured = (configuration.offered(tlsServerOf)?.(configuration.hostAt(address, port, null)) ?? null) !== null
  if (scheme === 'http') return { tls: isSecured ? null : undefined, notes: [] }
  if (scheme === null && !isSecured) return { tls: undefined, notes: [] }
  const notes = scheme === null ? [`connections to port ${port} use TLS, so the request does, as with https://`] : []
  const { version, ciphers } = tls
  return { tls: { serverName: nameFor(tls.serverName ?? host), version, ciphers, certificate }, notes }
}

/** A client sends no address as its server's name (RFC 6066, section 3). */
function nameFor(host: string): string | null {
  const name = host.replace(/:\d+$/, '')
  return name === '' || name.startsWith('[') || isIP(name) !== 0 ? null : name
}

/** Reads the client's certificate and key. @returns a problem with the files */
export function clientCertificateOf({ certificateFile, keyFile }: ExplainRequest['tls']): ClientCertificate | null | Problem {
  if (certificateFile === null) return null
  const hint = 'name PEM files: the certificate, those of its issuers, and its key'
  try {
    const certificates = readFileSync(certificateFile, 'latin1')
    const certificate = new X509Certificate(certificates)
    const key = keyFile === null ? certificates : readFileSync(keyFile, 'latin1')
    if (!key.includes('PRIVATE KEY-----')) {
      const message = `${keyFile ?? certificateFile} has no private key, without which nobody can use the certificate`
      return { message, hint: 'append the key to the file, or name its file with --client-key' }
    }
    if (!certificate.checkPrivateKey(createPrivateKey(key)))
      return { message: `the private key is not that of the certificate in ${certificateFile}`, hint }
    return { file: certificateFile, pem: keyFile === null ? certificates : `${certificates}\n${key}` }
  } catch (error) {
    return { message: `${certificateFile}: ${error instanceof Error ? error.message : String(error)}`, hint }
  }
}
