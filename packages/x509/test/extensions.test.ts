import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { derIa5, derInteger, derNull, derOctets, derSequence, derUtf8, derValue } from '../src/der-writer.ts'
import * as x509 from '../src/index.ts'
import { madeCertificate } from './support/made-certificate.ts'
import { fixture, openssl, parsed, withoutOpenssl } from './support/openssl.ts'

const CONFIGURATION = `
[req]
distinguished_name = dn
prompt = no
x509_extensions = extensions
[dn]
CN = x
[extensions]
basicConstraints = critical,CA:TRUE,pathlen:3
keyUsage = digitalSignature,keyCertSign,decipherOnly,keyAgreement
extendedKeyUsage = clientAuth,1.2.3.4.5,emailProtection,msSGC
subjectAltName = @names
issuerAltName = DNS:issuer
authorityInfoAccess = OCSP;URI:http://ocsp/,caIssuers;URI:http://ca/x,caIssuers;DNS:other
crlDistributionPoints = URI:http://crl/1,second
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always,issuer:always
tlsfeature = status_request,17,12
nsComment = "made for tests"
certificatePolicies = 1.2.3.4,2.5.29.32.0,@policy
nsCertType = client,server
[names]
DNS.1 = a.test
email.1 = a@b.test
IP.1 = 1.2.3.4
IP.2 = 2001:db8::1:0:0:1
URI.1 = http://x/
otherName.1 = msUPN;UTF8:alice@corp.test
otherName.2 = 1.2.3.4;UTF8:other
otherName.3 = id-on-dnsSRV;IA5:_x.y
otherName.4 = 1.3.6.1.5.5.7.8.5;UTF8:jabber
RID.1 = 1.2.3.4
RID.2 = 2.5.4.3
dirName.1 = directory
[directory]
C = DE
O = A/B, C
CN = n
[policy]
policyIdentifier = 1.3.5.8
CPS.1 = http://cps/
userNotice.1 = @notice
[notice]
explicitText = "Text here"
organization = Org
noticeNumbers = 1,2
[second]
fullname = URI:http://crl/2,DNS:other
CRLissuer = dirName:directory
`

/** Texts as X509V3_EXT_print of OpenSSL 3.0.19 writes them. */
const TEXTS: Readonly<Record<string, string>> = {
  basicConstraints: 'CA:TRUE, pathlen:3',
  keyUsage: 'Digital Signature, Key Agreement, Certificate Sign, Decipher Only',
  extendedKeyUsage: 'TLS Web Client Authentication, 1.2.3.4.5, E-mail Protection, Microsoft Server Gated Crypto',
  subjectAltName:
    'DNS:a.test, email:a@b.test, IP Address:1.2.3.4, IP Address:2001:DB8:0:0:1:0:0:1, URI:http://x/, othername: UPN::alice@corp.test, ' +
    'othername: 1.2.3.4::other, othername: SRVName::_x.y, othername: XmppAddr::jabber, Registered ID:1.2.3.4, ' +
    'Registered ID:commonName, DirName:/C=DE/O=A\\/B, C/CN=n',
  'X509v3 Issuer Alternative Name': 'DNS:issuer',
  '1.3.6.1.5.5.7.1.1': 'OCSP - URI:http://ocsp/\nCA Issuers - URI:http://ca/x\nCA Issuers - DNS:other',
  tlsfeature: 'status_request, status_request_v2, 12',
  certificatePolicies:
    'Policy: 1.2.3.4\nPolicy: X509v3 Any Policy\nPolicy: 1.3.5.8\n  CPS: http://cps/\n  User Notice:\n    Organization: Org\n' +
    '    Numbers: 1, 2\n    Explicit Text: Text here',
  nsComment: 'made for tests',
  nsCertType: 'SSL Client, SSL Server',
}

function certificateOfOpenssl(t: Test): x509.Certificate {
  const folder = t.testdir({ 'openssl.cnf': CONFIGURATION })
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', join(folder, 'key')]
  openssl(['req', '-x509', '-config', join(folder, 'openssl.cnf'), ...key, '-out', join(folder, 'crt')])
  const der = x509.readPem(readFileSync(join(folder, 'crt')))[0].der
  return parsed(der ?? Buffer.alloc(0))
}

t.test('extensions are decoded', { skip: withoutOpenssl }, async (t) => {
  const certificate = certificateOfOpenssl(t)
  t.same(x509.basicConstraints(certificate), { ca: true, pathLength: 3 })
  t.same(x509.keyUsage(certificate), ['digitalSignature', 'keyAgreement', 'keyCertSign', 'decipherOnly'])
  t.same(x509.extendedKeyUsage(certificate)?.slice(0, 2), ['1.3.6.1.5.5.7.3.2', '1.2.3.4.5'])
  t.same(x509.authorityInformation(certificate), { ocsp: ['http://ocsp/'], caIssuers: ['http://ca/x'] })
  t.same(x509.crlDistributionPoints(certificate), ['http://crl/1', 'http://crl/2'])
  t.ok(x509.mustStaple(certificate))
  t.same(x509.subjectKeyIdentifier(certificate), x509.authorityKeyIdentifier(certificate))
  t.same(
    x509.subjectAltNames(certificate).map(({ kind }) => kind),
    ['dns', 'email', 'ip', 'ip', 'uri', 'other', 'other', 'other', 'other', 'registered', 'registered', 'directory'],
  )
  t.match(certificate.extensions[0], { oid: '2.5.29.19', critical: true })
})

t.test('PeerExtList has the texts of openssl, by number, short or long name', { skip: withoutOpenssl }, async (t) => {
  const certificate = certificateOfOpenssl(t)
  for (const [name, text] of Object.entries(TEXTS)) t.same(x509.extensionTexts(certificate, name), [text], name)
  const [own] = x509.extensionTexts(certificate, '2.5.29.14')
  t.match(own, /^(?:[0-9A-F]{2}:){19}[0-9A-F]{2}$/)
  const serial = certificate.serial.replace(/..(?=.)/g, '$&:')
  t.same(x509.extensionTexts(certificate, '2.5.29.35'), [`keyid:${own}\nDirName:/CN=x\nserial:${serial}`])
})

t.test('PeerExtList has the text of strings in unknown extensions, and nothing for other values', async (t) => {
  const certificate = parsed(
    madeCertificate({
      extensions: [
        ['1.2.3.1', derUtf8('ü')],
        ['1.2.3.1', derIa5('second')],
        ['1.2.3.2', derInteger(7)],
        ['1.2.3.3', derValue(0x13, Buffer.from('printable'))],
        ['1.2.3.4', Buffer.from('rubbish')],
        ['2.16.840.1.113730.1.13', derNull()],
        ['2.5.29.15', Buffer.from([3, 1, 0])],
        ['1.2.3.6', derUtf8('')],
      ],
    }),
  )
  t.same(x509.extensionTexts(certificate, '1.2.3.1'), ['\xc3\xbc', 'second'])
  for (const oid of ['1.2.3.2', '1.2.3.3', '1.2.3.4', '1.2.3.5', '1.2.3.6', 'keyUsage', 'nsComment', 'no such name', ''])
    t.same(x509.extensionTexts(certificate, oid), [], oid)
})

t.test(
  'PeerExtList has the URLs of revocation lists as openssl prints them, but no text for points with more than names',
  async (t) => {
    const point = (...parts: Buffer[]): Buffer =>
      x509.derSequence(x509.derExplicit(0, x509.derExplicit(0, x509.derImplicit(6, Buffer.from('http://crl/')))), ...parts)
    const texts = (...points: Buffer[]): readonly string[] =>
      x509.extensionTexts(
        parsed(madeCertificate({ extensions: [['2.5.29.31', derSequence(...points)]] })),
        'crlDistributionPoints',
      )
    t.same(texts(point()), ['Full Name:\n  URI:http://crl/'])
    t.same(texts(point(), point()), ['Full Name:\n  URI:http://crl/\nFull Name:\n  URI:http://crl/'])
    t.same(texts(point(x509.derImplicit(1, Buffer.from([1, 0x40])))), [])
  },
)

t.test('the comment of the recorded client certificates is found', async (t) => {
  t.same(x509.extensionTexts(parsed(fixture('alice.crt')), '2.16.840.1.113730.1.13'), ['made for tests'])
})

t.test('malformed extensions count as absent', async (t) => {
  const wrong = derSequence(derOctets(Buffer.from('x')))
  const oids = [
    '2.5.29.14',
    '2.5.29.15',
    '2.5.29.17',
    '2.5.29.19',
    '2.5.29.31',
    '2.5.29.35',
    '2.5.29.37',
    '1.3.6.1.5.5.7.1.1',
    '1.3.6.1.5.5.7.1.24',
  ]
  const certificate = parsed(
    madeCertificate({ extensions: oids.map((oid) => [oid, Buffer.concat([wrong, Buffer.from([0])])] as const) }),
  )
  t.same(x509.subjectAltNames(certificate), [])
  t.same(x509.crlDistributionPoints(certificate), [])
  t.same(x509.authorityInformation(certificate), { ocsp: [], caIssuers: [] })
  t.notOk(x509.mustStaple(certificate))
  for (const read of [
    x509.basicConstraints,
    x509.keyUsage,
    x509.extendedKeyUsage,
    x509.subjectKeyIdentifier,
    x509.authorityKeyIdentifier,
  ])
    t.equal(read(certificate), undefined, read.name)
})
