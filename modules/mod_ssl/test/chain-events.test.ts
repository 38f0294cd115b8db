import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import {
  criticalExtension,
  type Issuer,
  isMalformed,
  issueAuthority,
  issueCertificate,
  type Purpose,
  parseCertificate,
} from '@gatewright/x509'
import t from 'tap'
import { chainEvents, namedPath } from '../src/connections/chain-events.ts'

const DAY = 86_400_000
const NOW = Date.now()
const dates = { notBefore: new Date(NOW - DAY), notAfter: new Date(NOW + DAY) }
const past = { notBefore: new Date(NOW - 3 * DAY), notAfter: new Date(NOW - DAY) }
const key = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey

function issuerOf(name: string, above?: Issuer, pathLength?: number): Issuer {
  const own = key()
  const der = issueAuthority({ ...dates, key: own, subject: [['CN', name]], ...(above && { issuer: above }), pathLength })
  const certificate = parseCertificate(der)
  if (isMalformed(certificate)) throw new Error(certificate.malformed)
  return { certificate, key: own }
}

function client(issuer: Issuer, more: { expired?: true; purposes?: Purpose[]; isCritical?: true } = {}): X509Certificate {
  const { expired, purposes = ['clientAuth'], isCritical } = more
  const extensions = isCritical ? [criticalExtension('1.3.6.1.4.1.55555.1', Buffer.from([5, 0]))] : []
  const plan = {
    ...(expired ? past : dates),
    key: key(),
    subject: [['CN', 'client']] as const,
    hosts: [],
    purposes,
    issuer,
    extensions,
  }
  return new X509Certificate(issueCertificate(plan))
}

const certificateOf = ({ certificate }: Issuer): X509Certificate => new X509Certificate(certificate.der)

/** The codes in order, with their depths; `ok` for a certificate that is good. */
function codes(chain: readonly X509Certificate[], trusted: readonly X509Certificate[]): readonly string[] {
  const events = chainEvents({ ...namedPath(chain, trusted), now: NOW, reported: null, revocation: () => null })
  return [...events].map(({ error, depth }) => `${depth} ${error?.code ?? 'ok'}`)
}

const root = issuerOf('root')
const middle = issuerOf('middle', root)
const [rootCertificate, middleCertificate] = [certificateOf(root), certificateOf(middle)]

t.test('a good chain has no errors, and its root comes first', async (t) => {
  t.strictSame(codes([client(middle), middleCertificate], [rootCertificate]), ['2 ok', '1 ok', '0 ok'])
})

t.test('errors come in the order of OpenSSL: issuers, uses, dates', async (t) => {
  const bad = client(root, { expired: true, purposes: ['serverAuth'], isCritical: true })
  t.strictSame(codes([bad, rootCertificate], []), [
    '1 SELF_SIGNED_CERT_IN_CHAIN',
    '0 UNHANDLED_CRITICAL_EXTENSION',
    '0 INVALID_PURPOSE',
    '1 ok',
    '0 CERT_HAS_EXPIRED',
    '0 ok',
  ])
})

t.test('a client alone has an unknown issuer, and its dates count', async (t) => {
  const expected = ['0 UNABLE_TO_GET_ISSUER_CERT_LOCALLY', '0 UNABLE_TO_VERIFY_LEAF_SIGNATURE', '0 CERT_HAS_EXPIRED', '0 ok']
  t.strictSame(codes([client(root, { expired: true })], []), expected)
})

t.test('above a trusted authority that is no root, what the client sends does not count', async (t) => {
  const chain = [client(middle), middleCertificate, rootCertificate]
  t.equal(codes(chain, [middleCertificate])[0], '1 UNABLE_TO_GET_ISSUER_CERT')
})

t.test('an authority that may have no others below it has one', async (t) => {
  const last = issuerOf('last', root, 0)
  const beyond = issuerOf('beyond', last)
  const chain = [client(beyond), certificateOf(beyond), certificateOf(last)]
  t.strictSame(codes(chain, [rootCertificate]).slice(0, 2), ['2 PATH_LENGTH_EXCEEDED', '3 ok'])
})

t.test('an issuer of the same name with another key did not sign', async (t) => {
  const other = issuerOf('root')
  const plan = { ...dates, key: key(), subject: [['CN', 'client']] as const, hosts: [] }
  const forged = new X509Certificate(issueCertificate({ ...plan, purposes: ['clientAuth'], issuer: { ...root, key: other.key } }))
  t.match(codes([forged], [rootCertificate]), ['1 ok', '0 CERT_SIGNATURE_FAILURE', '0 ok'])
})

t.test('a client that issued its own certificate is alone', async (t) => {
  const own = key()
  const plan = { ...dates, key: own, subject: [['CN', 'alone']] as const, hosts: [], purposes: ['clientAuth'] as Purpose[] }
  t.equal(codes([new X509Certificate(issueCertificate(plan))], [])[0], '0 DEPTH_ZERO_SELF_SIGNED_CERT')
})

t.test('a key for RSASSA-PSS did not make a signature of another kind, so its certificate names an unknown issuer', async (t) => {
  const signer = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const own = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey
  const subject = [['CN', 'namesake']] as const
  const other = parseCertificate(issueAuthority({ ...dates, key: signer, subject }))
  if (isMalformed(other)) throw new Error(other.malformed)
  // Of the same name and key as the client, so that only the kind of the signature differs.
  const certificate = parseCertificate(
    issueAuthority({ ...dates, key: own, subject, issuer: { certificate: other, key: signer } }),
  )
  if (isMalformed(certificate)) throw new Error(certificate.malformed)
  const plan = {
    ...dates,
    key: own,
    subject,
    hosts: [],
    purposes: ['clientAuth'] as Purpose[],
    issuer: { certificate, key: signer },
  }
  t.equal(codes([new X509Certificate(issueCertificate(plan))], [])[0], '0 UNABLE_TO_GET_ISSUER_CERT_LOCALLY')
})
