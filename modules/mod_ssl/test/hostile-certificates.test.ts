import { createPublicKey, X509Certificate } from 'node:crypto'
import { type ConnectionOptions, connect } from 'node:tls'
import { site, type TestServer } from '@gatewright/testing'
import { derExtension, derOctets, issueCertificate, pemText } from '@gatewright/x509'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import { chainEvents, namedPath } from '../src/connections/chain-events.ts'
import { Revocation } from '../src/connections/revocation.ts'
import ssl from '../src/index.ts'
import { makeAuthority, newKey } from './support/made-certificates.ts'
import { fixture, fixtures } from './support.ts'

const NONSENSE = (label: string): string => `-----BEGIN ${label}-----\nMIIBAAAA\n-----END ${label}-----\n`
const ALICE = { cert: fixture('alice.crt'), key: fixture('alice.key') }

t.test('an issuer whose key cannot be read, which a client sends, is an error and no exception', (t) => {
  const root = makeAuthority({ name: 'Root' })
  const intermediate = makeAuthority({ name: 'Intermediate', issuer: root })
  const leaf = new X509Certificate(
    issueCertificate({
      key: newKey(),
      subject: [['CN', 'client']],
      hosts: [],
      notBefore: new Date(0),
      notAfter: new Date(Date.UTC(2100, 0, 1)),
      purposes: ['clientAuth'],
      issuer: { certificate: intermediate.certificate, key: intermediate.key },
    }),
  )
  const key = createPublicKey(intermediate.key).export({ type: 'spki', format: 'der' })
  let unreadable = 0
  for (let at = 0; at < key.length; at++) {
    const damaged = Buffer.from(intermediate.x509.raw)
    damaged[damaged.indexOf(key) + at] ^= 0x0f
    const sent = readable(damaged)
    if (sent === undefined || hasKey(sent)) continue
    unreadable++
    const found = namedPath([leaf, sent], [root.x509])
    const events = [...chainEvents({ ...found, now: Date.now(), reported: null, revocation: () => null })]
    t.ok(events.some(({ error }) => error !== null))
    const revocation = new Revocation({ whose: 'leaf', missingIsFine: false }, [fixture('ca.crl')])
    t.not(revocation.errorOf([leaf, sent], false), null)
  }
  t.ok(unreadable > 10, 'there are such certificates')
  t.end()
})

t.test('a folder of authorities or lists with a file that cannot be read serves the clients of the others', async (t) => {
  const hashed = { 'conf/cas/12345678.0': NONSENSE('CERTIFICATE'), 'conf/crls/12345678.r0': NONSENSE('X509 CRL') }
  const server = await serve(t, {
    config: 'SSLCACertificateFile conf/ca.crt\nSSLCACertificatePath conf/cas\nSSLVerifyClient require',
    files: hashed,
  })
  t.match(await visit(server), /^HTTP\/1\.1 200 /)
  const checking = await serve(t, {
    config:
      'SSLCACertificateFile conf/ca.crt\nSSLCARevocationPath conf/crls\nSSLCARevocationCheck chain\nSSLVerifyClient require',
    files: hashed,
  })
  t.equal(await visit(checking), '', 'without a list of their authority, clients are refused')
})

t.test('files with a part that cannot be read stop the start', async (t) => {
  const bad = (name: string, label: string): Readonly<Record<string, string>> => ({
    [`conf/${name}`]: `${fixture(name)}${NONSENSE(label)}`,
  })
  const check = 'SSLCACertificateFile conf/ca.crt\nSSLCARevocationFile conf/ca.crl\nSSLCARevocationCheck leaf'
  await t.rejects(serve(t, { config: check, files: bad('ca.crl', 'X509 CRL') }), 'a revocation list')
  await t.rejects(serve(t, { config: '', files: bad('localhost.crt', 'CERTIFICATE') }), 'the chain of a certificate')
  await t.rejects(serve(t, { config: 'SSLCACertificateFile conf/ca.crt', files: bad('ca.crt', 'CERTIFICATE') }), 'authorities')
  const responders = { 'conf/responder.crt': NONSENSE('CERTIFICATE') }
  await t.rejects(serve(t, { config: 'SSLOCSPResponderCertificateFile conf/responder.crt', files: responders }), 'responders')
})

t.test('clients whose certificate is larger than OpenSSL permits are refused, and others are served', async (t) => {
  const server = await serve(t, { config: 'SSLCACertificateFile conf/ca.crt\nSSLVerifyClient optional', files: {} })
  const root = makeAuthority({ name: 'Root' })
  const key = newKey()
  const huge = issueCertificate({
    key,
    subject: [['CN', 'client']],
    hosts: [],
    notBefore: new Date(0),
    notAfter: new Date(Date.UTC(2100, 0, 1)),
    purposes: ['clientAuth'],
    extensions: [derExtension('1.3.6.1.4.1.55555.1', derOctets(Buffer.alloc(120_000)))],
    issuer: { certificate: root.certificate, key: root.key },
  })
  const client = { cert: pemText('CERTIFICATE', huge), key: key.export({ type: 'pkcs8', format: 'pem' }) }
  const ends = await Promise.all(Array.from({ length: 20 }, () => visit(server, client)))
  t.ok(ends.every((end) => end === ''))
  t.match(await visit(server), /^HTTP\/1\.1 200 /)
})

interface Site {
  readonly config: string
  readonly files: Readonly<Record<string, string>>
}

async function serve(t: Test, { config, files }: Site): Promise<TestServer> {
  const server = await site({
    modules: [authzCore, ssl],
    config: `SSLEngine on
SSLCertificateFile conf/localhost.crt
SSLCertificateKeyFile conf/localhost.key
<Directory "@ROOT@/docs">
Require all granted
</Directory>
${config}`,
    files: { 'docs/f.txt': 'hello\n', ...fixtures('localhost.crt', 'localhost.key', 'ca.crt', 'ca.crl'), ...files },
  })
  t.teardown(() => server.close())
  return server
}

async function visit(server: TestServer, client: ConnectionOptions = ALICE): Promise<string> {
  const port = await server.listen()
  const address = { port, host: '127.0.0.1', servername: 'localhost' }
  // In TLS 1.3 a client would take its handshake for complete before it is refused.
  const socket = connect({ ...address, rejectUnauthorized: false, maxVersion: 'TLSv1.2', ...client })
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.write('GET /f.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  return new Promise((resolve) => {
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })
}

function readable(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}

function hasKey(certificate: X509Certificate): boolean {
  try {
    return certificate.publicKey.type === 'public'
  } catch {
    return false
  }
}
