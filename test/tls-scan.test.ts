import t from 'tap'
import type { ScanFinding } from './tls-scan/scan-finding.ts'
import { sslscanFindings } from './tls-scan/sslscan-findings.ts'
import { testsslFindings } from './tls-scan/testssl-findings.ts'

function bad(findings: readonly ScanFinding[]): readonly string[] {
  return findings.filter(({ verdict }) => verdict === 'bad').map(({ about }) => about)
}

const NEEDED = [
  'SSLv2',
  'SSLv3',
  'TLS1',
  'TLS1_1',
  'TLS1_2',
  'TLS1_3',
  'cipherlist_STRONG',
  'cipher_order',
  'cert_trust <cert#1>',
]
const NEEDED_TOO = [
  'cert_chain_of_trust <cert#1>',
  'HSTS_time',
  'X-Content-Type-Options',
  'heartbleed',
  'ROBOT',
  'secure_renego',
  'LUCKY13',
  'RC4',
]

/** What testssl writes when nothing is wrong, with more entries. */
function testssl(...more: readonly (readonly [id: string, severity: string, finding: string])[]): string {
  const good = [...NEEDED, ...NEEDED_TOO].map((id) => [id, 'OK', ''] as const)
  return JSON.stringify(
    [...good, ...more].map(([id, severity, finding]) => ({ id, severity, finding, ip: 'localhost/127.0.0.1', port: '1' })),
  )
}

t.test('findings of testssl count from medium severity', async (t) => {
  t.strictSame(bad(testsslFindings(testssl(['a', 'INFO', ''], ['b', 'LOW', '']))), [])
  const severities = ['MEDIUM', 'HIGH', 'CRITICAL', 'WARN', 'FATAL', 'DEBUG', 'new']
  const findings = testssl(...severities.map((severity) => [severity, severity, 'found'] as const))
  t.strictSame(bad(testsslFindings(findings)), severities)
})

t.test('only what follows from an authority for tests is expected of testssl', async (t) => {
  const text = 'Neither CRL nor OCSP URI provided'
  const findings = testsslFindings(
    testssl(['cert_revocation <cert#2>', 'HIGH', text], ['cert_revocation <cert#1>', 'HIGH', 'revoked']),
  )
  t.strictSame(bad(findings), ['cert_revocation <cert#1>'])
  t.strictSame(
    findings.filter(({ verdict }) => verdict === 'expected').map(({ about }) => about),
    ['cert_revocation <cert#2>'],
  )
  t.strictSame(bad(testsslFindings(testssl(['cert_trust <cert#2>', 'HIGH', text]))), ['cert_trust <cert#2>'])
})

t.test('a scan of testssl that ended early has failed', async (t) => {
  t.strictSame(
    bad(testsslFindings('[{"id":"TLS1_3","severity":"OK","finding":""}]')).length,
    NEEDED.length + NEEDED_TOO.length - 1,
  )
  t.throws(() => testsslFindings('{}'), { message: 'testssl wrote no list' })
  t.throws(() => testsslFindings('[{"id":"TLS1_3"}]'), { message: /^not a finding of testssl/ })
})

const SSLSCAN = `<document>
  <protocol type="ssl" version="2" enabled="0" />
  <protocol type="ssl" version="3" enabled="0" />
  <protocol type="tls" version="1.0" enabled="0" />
  <protocol type="tls" version="1.1" enabled="0" />
  <protocol type="tls" version="1.2" enabled="1" />
  <protocol type="tls" version="1.3" enabled="1" />
  <renegotiation supported="0" secure="0" />
  <heartbleed sslversion="TLSv1.2" vulnerable="0" />
  <cipher status="preferred" sslversion="TLSv1.3" bits="128" cipher="TLS_AES_128_GCM_SHA256" strength="acceptable" />
  <cipher status="accepted" sslversion="TLSv1.2" bits="128" cipher="ECDHE-RSA-AES128-GCM-SHA256" strength="strong" />
  <group sslversion="TLSv1.3" bits="128" name="x25519" id="0x001d" />
  <pk error="false" type="EC" curve_name="prime256v1" bits="128" />
  <self-signed>false</self-signed>
  <expired>false</expired>
</document>`

t.test('sslscan must find good suites and versions, and nothing else', async (t) => {
  t.strictSame(bad(sslscanFindings(SSLSCAN)), [])
  const plants: readonly (readonly [from: string, to: string, about: string])[] = [
    ['version="1.1" enabled="0"', 'version="1.1" enabled="1"', 'tls 1.1'],
    ['version="1.3" enabled="1"', 'version="1.3" enabled="0"', 'tls 1.3'],
    ['supported="0" secure="0"', 'supported="1" secure="0"', 'renegotiation'],
    ['vulnerable="0"', 'vulnerable="1"', 'heartbleed TLSv1.2'],
    ['strength="strong"', 'strength="weak"', 'TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256'],
    ['ECDHE-RSA-AES128-GCM-SHA256', 'AES128-GCM-SHA256', 'TLSv1.2 AES128-GCM-SHA256'],
    ['bits="128" name="x25519"', 'bits="80" name="x25519"', 'TLSv1.3 x25519'],
    ['error="false"', 'error="true"', 'key'],
    ['<self-signed>false', '<self-signed>true', 'self-signed'],
    ['<expired>false</expired>', '', 'expired'],
    ['<renegotiation', '<compression supported="1" /><renegotiation', 'compression'],
    ['<document>', '<document><error><![CDATA[Could not connect]]></error>', 'scan'],
    ['<protocol type="ssl" version="2" enabled="0" />', '', 'scan'],
  ]
  for (const [from, to, about] of plants) t.strictSame(bad(sslscanFindings(SSLSCAN.replace(from, to))), [about], to)
})
