import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { derExplicit, derImplicit, derOid, derSequence, derUtf8, derValue } from '../src/der-writer.ts'
import { certificateForLog, certificateVariable, chainVariable, listedVariables, nameAsOneLine } from '../src/index.ts'
import { attribute, madeCertificate, nameOf } from './support/made-certificate.ts'
import { FIXTURES, fixture, parsed } from './support/openssl.ts'

interface Case {
  readonly conf: readonly string[]
  readonly probes: readonly { readonly tls: { readonly cert?: string } }[]
}
interface Golden {
  readonly answers: readonly { readonly headers: Readonly<Record<string, string>> }[]
}

const CASES = join(FIXTURES, '../../cases/tls')
const FILES: Readonly<Record<string, string>> = { 'deep-chain': 'deep' }
const CN = '2.5.4.3'

t.test('variables have the values that httpd gave them in the recorded case', async (t) => {
  const { conf, probes }: Case = JSON.parse(readFileSync(join(CASES, 'variables.case.json'), 'utf8'))
  const { answers }: Golden = JSON.parse(readFileSync(join(CASES, 'variables.golden.json'), 'utf8'))
  const headers = conf.flatMap((line) => [...line.matchAll(/^Header set (\S+) "%\{SSL_(CLIENT|SERVER)_(\w+)\}s"/g)])
  let compared = 0
  probes.forEach(({ tls: { cert } }, index) => {
    for (const [, header, kind, name] of headers) {
      const file = kind === 'SERVER' ? 'localhost' : cert === undefined ? undefined : (FILES[cert] ?? cert)
      if (file === undefined || name === 'VERIFY' || name.startsWith('CERT_CHAIN')) continue
      const value = certificateVariable(parsed(fixture(`${file}.crt`)), name) ?? '(null)'
      t.equal(value, answers[index].headers[header.toLowerCase()], `${name} of ${file}`)
      compared++
    }
  })
  t.ok(compared > 300, `${compared} compared`)
})

t.test('the environment lists a second part as _1, and the names of subjectAltName from 0', async (t) => {
  const variables = Object.fromEntries(listedVariables(parsed(fixture('alice.crt')), 'msUPN'))
  t.match(variables, {
    S_DN_OU: 'People',
    S_DN_OU_1: 'Staff',
    S_DN_Email: 'alice@example.test',
    I_DN_CN: 'Example Root',
    SAN_Email_0: 'alice@example.test',
    SAN_Email_1: 'second@example.test',
    SAN_DNS_0: 'alice.example.test',
    SAN_OTHER_msUPN_0: 'alice@corp.test',
  })
  t.notOk('S_DN_OU_0' in variables || 'S_DN_SP' in variables || 'S_DN_OU_2' in variables)
})

t.test('names are written in the old form on request, and an empty name has no value', async (t) => {
  const certificate = parsed(madeCertificate({ subject: nameOf(), issuer: nameOf(attribute(CN, 0x0c, 'ca')) }))
  t.equal(certificateVariable(certificate, 'I_DN', { nameText: nameAsOneLine }), '/CN=ca')
  t.equal(certificateVariable(certificate, 'S_DN'), undefined)
})

t.test('parts of a name escape control characters and can be had in their own character set', async (t) => {
  const certificate = parsed(
    madeCertificate({
      subject: nameOf(attribute(CN, 0x1e, Buffer.from([0, 0xfc, 0x20, 0xac, 0, 10])), attribute(CN, 0x0c, 'a\\b')),
    }),
  )
  t.equal(certificateVariable(certificate, 'S_DN_CN'), Buffer.from('ü€\\0A').toString('latin1'))
  t.equal(certificateVariable(certificate, 'S_DN_CN_RAW'), '\xfc\\U20AC\\0A')
  t.equal(certificateVariable(certificate, 'S_DN_CN_1'), 'a\\\\b')
  t.equal(certificateVariable(certificate, 'S_DN_CN_1_RAW'), 'a\\\\b')
  t.equal(certificateVariable(certificate, 'S_DN_CN_'), certificateVariable(certificate, 'S_DN_CN_0'))
})

t.test('unknown variables and numbers have no value', async (t) => {
  const certificate = parsed(fixture('alice.crt'))
  for (const name of [
    '',
    'S',
    'S_DN_',
    'S_DN_cn',
    'S_DN_DC',
    'S_DN_CN_1',
    'S_DN_CN_x',
    'S_DNS',
    'X_DN',
    'SAN_DNS_',
    'SAN_DNS_1',
    'SAN_DNS_00000',
    'SAN_IP_0',
    'NOSUCH',
  ])
    t.equal(certificateVariable(certificate, name), undefined, name)
})

t.test('the days that remain are complete days, and 0 after the end', async (t) => {
  const certificate = parsed(fixture('alice.crt'))
  const end = Date.UTC(2066, 0, 1)
  const remain = (now: number): string | undefined => certificateVariable(certificate, 'V_REMAIN', { now })
  t.equal(remain(end - 86_400_000 * 3), '3')
  t.equal(remain(end - 86_400_000 * 3 + 1), '2')
  t.equal(remain(end + 86_400_000 * 3), '0')
})

t.test('serials are shown in pairs of digits, also zero and negative ones', async (t) => {
  const cases = [
    [[0], '00', '0'],
    [[0x0f], '0F', '15'],
    [[0x00, 0x80], '80', '128'],
    [[0xff], '-01', '-1'],
    [[0x80, 0x00, 0x01], '-7FFFFF', '-8388607'],
  ] as const
  for (const [contents, hex, decimal] of cases) {
    const certificate = parsed(madeCertificate({ serial: derValue(2, Buffer.from(contents)) }))
    t.equal(certificateVariable(certificate, 'M_SERIAL'), hex)
    t.equal(certificateVariable(certificate, 'CERT_RFC4523_CEA'), `{ serialNumber ${decimal}, issuer rdnSequence:"CN=made" }`)
  }
})

t.test('an alternative name with a NUL is shown with an escape, and one of a wrong type not at all', async (t) => {
  const upn = (value: Buffer): Buffer => derExplicit(0, Buffer.concat([derOid('1.3.6.1.4.1.311.20.2.3'), derExplicit(0, value)]))
  const names = derSequence(
    derImplicit(2, Buffer.from('a.test\0.evil')),
    upn(derValue(0x16, Buffer.from('ia5'))),
    upn(derUtf8('utf8')),
  )
  const certificate = parsed(madeCertificate({ extensions: [['2.5.29.17', names]] }))
  t.equal(certificateVariable(certificate, 'SAN_DNS_0'), 'a.test\\00.evil')
  t.equal(certificateVariable(certificate, 'SAN_OTHER_msUPN_0'), undefined)
  t.equal(certificateVariable(certificate, 'SAN_OTHER_msUPN_1'), 'utf8')
  t.same(listedVariables(certificate, 'msUPN').slice(-2), [
    ['SAN_DNS_0', 'a.test\\00.evil'],
    ['SAN_OTHER_msUPN_0', 'utf8'],
  ])
})

t.test('subjectAltName that is there twice counts as absent', async (t) => {
  const names = derSequence(derImplicit(2, Buffer.from('a.test')))
  const certificate = parsed(
    madeCertificate({
      extensions: [
        ['2.5.29.17', names],
        ['2.5.29.17', names],
      ],
    }),
  )
  t.equal(certificateVariable(certificate, 'SAN_DNS_0'), undefined)
})

t.test('log lines describe a certificate as httpd did in the recorded case', async (t) => {
  const golden = readFileSync(join(CASES, 'client-certificates-log.golden.json'), 'utf8')
  for (const name of ['expired', 'stranger']) t.ok(golden.includes(certificateForLog(parsed(fixture(`${name}.crt`)), 100)), name)
})

t.test('in a log line, empty names are marked and long ones are cut off', async (t) => {
  const long = nameOf(attribute(CN, 0x0c, 'a'.repeat(9000)))
  const text = certificateForLog(parsed(madeCertificate({ subject: nameOf(), issuer: long })), 92)
  t.ok(
    text.startsWith(` [subject: -empty- / issuer: CN=${'a'.repeat(3894)}... / serial: 01 / notbefore: Jan`),
    text.slice(0, 100),
  )
})

t.test('certificates of the chain are numbered from 0', async (t) => {
  const chain = [fixture('intermediate.crt'), fixture('ca.crt')]
  t.equal(chainVariable(chain, '1'), readFileSync(join(FIXTURES, 'ca.crt'), 'latin1'))
  t.equal(chainVariable(chain, '00'), readFileSync(join(FIXTURES, 'intermediate.crt'), 'latin1'))
  for (const number of ['2', '', '-1', '1x', 'length']) t.equal(chainVariable(chain, number), undefined, number)
})
