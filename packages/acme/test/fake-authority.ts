import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { isMalformed, issueAuthority, issueCertificate, parseCertificate, pemText } from '@gatewright/x509'
import type { Test } from 'tap'

/** A server of HTTPS whose answers a test decides. */
export interface FakeAuthority {
  readonly url: string
  /** PEM of the authority of its certificate. */
  readonly authority: string
  readonly server: Server
}

/** Starts it on loopback. */
export async function fakeAuthority(
  t: Test,
  answer: (request: IncomingMessage, response: ServerResponse, url: string) => void,
): Promise<FakeAuthority> {
  const { privateKey: root } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const dates = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  const rootDer = issueAuthority({ key: root, subject: [['CN', 'a test']], ...dates })
  const certificate = parseCertificate(rootDer)
  if (isMalformed(certificate)) throw new Error('the authority cannot be read')
  const der = issueCertificate({ key, subject: [], hosts: ['localhost'], ...dates, issuer: { certificate, key: root } })
  let url = ''
  const server = createServer(
    { cert: new X509Certificate(der).toString(), key: String(key.export({ type: 'pkcs8', format: 'pem' })) },
    (request, response) => answer(request, response, url),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  url = `https://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`
  return { url, authority: pemText('CERTIFICATE', rootDer), server }
}
