import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as x509 from '../src/index.ts'
import { openssl, parsed, withoutOpenssl } from './support/openssl.ts'

const KEYS: Readonly<Record<string, KeyObject>> = {
  RSA: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  'P-256': generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey,
  'P-384': generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey,
  'P-521': generateKeyPairSync('ec', { namedCurve: 'secp521r1' }).privateKey,
  Ed25519: generateKeyPairSync('ed25519').privateKey,
}
const DATES = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 86_400_000) }

function fileOf(t: Test, label: string, ...ders: Buffer[]): string {
  const path = join(t.testdir(), 'file.pem')
  writeFileSync(path, ders.map((der) => x509.pemText(label, der)).join(''))
  return path
}

for (const [type, key] of Object.entries(KEYS))
  t.test(
    `openssl verifies a server certificate that an authority with a key of type ${type} signed`,
    { skip: withoutOpenssl },
    async (t) => {
      const authority = x509.issueAuthority({
        key,
        subject: [
          ['O', 'Tests & Söhne'],
          ['CN', 'CA'],
        ],
        pathLength: 0,
        ...DATES,
      })
      const issuer = { certificate: parsed(authority), key }
      const leaf = x509.issueCertificate({
        key: KEYS['P-256'],
        subject: [['CN', 'a.test']],
        hosts: ['a.test', '::1', 'a@a.test'],
        issuer,
        ...DATES,
      })
      const ca = fileOf(t, 'CERTIFICATE', authority)
      const words = [
        'verify',
        '-x509_strict',
        '-CAfile',
        ca,
        '-purpose',
        'sslserver',
        '-verify_hostname',
        'a.test',
        '-verify_ip',
        '::1',
      ]
      t.match(openssl(words, x509.pemText('CERTIFICATE', leaf)), 'OK')
      t.ok(new X509Certificate(leaf).verify(new X509Certificate(authority).publicKey))
      t.ok(new X509Certificate(leaf).checkPrivateKey(KEYS['P-256']))
      t.same(x509.basicConstraints(parsed(authority)), { ca: true, pathLength: 0 })
      t.same(x509.basicConstraints(parsed(leaf)), { ca: false, pathLength: undefined })
    },
  )

t.test('a self-signed certificate states what it was asked to', { skip: withoutOpenssl }, async (t) => {
  const der = x509.issueCertificate({
    key: KEYS.RSA,
    subject: [
      ['C', 'DE'],
      ['CN', 'local'],
      ['emailAddress', 'a@b.test'],
    ],
    hosts: ['localhost', '127.0.0.1'],
    purposes: ['serverAuth', 'clientAuth'],
    mustStaple: true,
    serial: Buffer.from([0, 0, 0x81]),
    notBefore: new Date('2049-12-31T23:59:59Z'),
    notAfter: new Date('2050-01-01T00:00:00Z'),
    extensions: [x509.derExtension('1.2.3.4', x509.derUtf8('ü'))],
  })
  const certificate = parsed(der)
  t.match(certificate, {
    serial: '81',
    notBefore: { text: 'Dec 31 23:59:59 2049 GMT' },
    notAfter: { text: 'Jan  1 00:00:00 2050 GMT' },
  })
  t.equal(x509.nameAsRfc2253(certificate.subject), 'emailAddress=a@b.test,CN=local,C=DE')
  t.ok(certificate.issuer.der.equals(certificate.subject.der))
  t.same(x509.keyUsage(certificate), ['digitalSignature', 'keyEncipherment'])
  t.same(x509.extendedKeyUsage(certificate), ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  t.ok(x509.mustStaple(certificate))
  t.same(x509.extensionTexts(certificate, '1.2.3.4'), ['\xc3\xbc'])
  const expected = createHash('sha1')
    .update(new X509Certificate(der).publicKey.export({ type: 'pkcs1', format: 'der' }))
    .digest()
  t.same(x509.subjectKeyIdentifier(certificate), expected)
  t.match(
    openssl(['x509', '-inform', 'der', '-noout', '-text'], der),
    'X509v3 Subject Alternative Name: \n                DNS:localhost, IP Address:127.0.0.1',
  )
})

t.test('serials are random, positive and of 16 bytes', async (t) => {
  const serials = Array.from(
    { length: 50 },
    () => parsed(x509.issueAuthority({ key: KEYS.Ed25519, subject: [], ...DATES })).serial,
  )
  t.equal(new Set(serials).size, 50)
  for (const serial of serials) t.match(serial, /^[4-7][0-9A-F]{31}$/)
})

t.test('a request names its hosts and asks for stapling', { skip: withoutOpenssl }, async (t) => {
  for (const [type, key] of Object.entries(KEYS)) {
    const der = x509.certificateRequest({ key, hosts: ['a.test', '*.a.test', '1.2.3.4'], mustStaple: true })
    const shown = openssl(['req', '-inform', 'der', '-verify', '-noout', '-text'], der)
    t.match(shown, 'DNS:a.test, DNS:*.a.test, IP Address:1.2.3.4', type)
    t.match(shown, 'status_request', type)
    t.match(shown, /Subject: ?\n/, type)
  }
  const plain = openssl(
    ['req', '-inform', 'der', '-verify', '-noout', '-text'],
    x509.certificateRequest({ key: KEYS.RSA, hosts: ['b.test'], subject: [['CN', 'b.test']] }),
  )
  t.match(plain, 'Subject: CN = b.test')
  t.notMatch(plain, 'status_request')
})

t.test(
  'the certificate for a tls-alpn-01 challenge has the critical acmeIdentifier and one name',
  { skip: withoutOpenssl },
  async (t) => {
    const digest = createHash('sha256').update('token.thumbprint').digest()
    const der = x509.acmeChallengeCertificate({ key: KEYS['P-256'], host: 'a.test', digest, now: new Date() })
    const certificate = parsed(der)
    const extension = certificate.extensions.find(({ oid }) => oid === '1.3.6.1.5.5.7.1.31')
    t.match(extension, { critical: true })
    t.same(extension?.value, Buffer.concat([Buffer.from([4, 32]), digest]))
    t.same(x509.hostNamesOf(certificate), ['a.test', 'ACME challenge'])
    t.ok(new X509Certificate(der).verify(new X509Certificate(der).publicKey))
    t.equal(x509.nameAsRfc2253(certificate.subject), x509.nameAsRfc2253(certificate.issuer))
  },
)

t.test('names that cannot be in a certificate and keys that cannot sign are refused', async (t) => {
  const plan = { key: KEYS.Ed25519, subject: [] as const, ...DATES }
  t.throws(() => x509.issueCertificate({ ...plan, hosts: ['bücher.test'] }), /must be in ASCII/)
  t.throws(() => x509.issueCertificate({ ...plan, hosts: ['a b'] }), /must be in ASCII/)
  t.throws(() => x509.issueCertificate({ ...plan, hosts: [''] }), /must be in ASCII/)
  t.throws(() => x509.issueAuthority({ ...plan, subject: [['NOSUCH', 'x']] }), /NOSUCH is not an attribute/)
  t.throws(
    () => x509.issueAuthority({ ...plan, key: generateKeyPairSync('x25519').privateKey }),
    /no signature algorithm for keys of type x25519/,
  )
  t.throws(
    () =>
      x509.issueAuthority({
        ...plan,
        key: createPrivateKey(
          generateKeyPairSync('ec', {
            namedCurve: 'secp256k1',
            privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
            publicKeyEncoding: { type: 'spki', format: 'pem' },
          }).privateKey,
        ),
      }),
    /secp256k1/,
  )
})
