import { createPublicKey, X509Certificate } from 'node:crypto'
import { readdirSync } from 'node:fs'
import t from 'tap'
import { derExplicit, derInteger, derValue } from '../src/der-writer.ts'
import { derSequence, isMalformed, parseCertificate } from '../src/index.ts'
import { attribute, madeCertificate, nameOf } from './support/made-certificate.ts'
import { FIXTURES, fixture, openssl, parsed, withoutOpenssl } from './support/openssl.ts'

t.test('a certificate has the version, serial, dates and algorithms that openssl shows', { skip: withoutOpenssl }, async (t) => {
  const files = readdirSync(FIXTURES).filter((name) => name.endsWith('.crt'))
  t.ok(files.length > 15)
  for (const file of files) {
    const der = fixture(file)
    const certificate = parsed(der)
    const shown = openssl(['x509', '-inform', 'der', '-noout', '-serial', '-dates', '-text'], der)
    t.match(shown, `serial=${certificate.serial}\n`, file)
    t.match(shown, `notBefore=${certificate.notBefore.text}\nnotAfter=${certificate.notAfter.text}\n`, file)
    t.match(shown, `Public Key Algorithm: ${certificate.keyAlgorithm.name}\n`, file)
    t.match(shown, `Signature Algorithm: ${certificate.signatureAlgorithm.name}\n`, file)
    t.equal(certificate.version, 3)
    t.equal(certificate.notAfter.date?.getTime(), Date.parse(new X509Certificate(der).validTo))
    t.ok(createPublicKey({ key: certificate.publicKey, format: 'der', type: 'spki' }).equals(new X509Certificate(der).publicKey))
  }
})

t.test('times of both types are shown as openssl shows them', { skip: withoutOpenssl }, async (t) => {
  const cases: readonly (readonly [number, string])[] = [
    [0x17, '491231235959Z'],
    [0x17, '500101000000Z'],
    [0x17, '200229120000Z'],
    [0x17, '190229120000Z'],
    [0x17, '2001010000Z'],
    [0x17, '200101000000+0130'],
    [0x17, '200101000060Z'],
    [0x17, 'x00101000000Z'],
    [0x18, '20660101000000Z'],
    [0x18, '20660101000000.25Z'],
    [0x18, '00010203040506Z'],
    [0x18, '20661301000000Z'],
    [0x18, '20660101000000'],
    [0x18, '99991231235959Z'],
  ]
  for (const [tag, digits] of cases) {
    const der = madeCertificate({ notAfter: derValue(tag, Buffer.from(digits)) })
    const shown = openssl(['x509', '-inform', 'der', '-noout', '-text'], der)
    const { text, date } = parsed(der).notAfter
    t.equal(text, /Not After : (.*)/.exec(shown)?.[1], digits)
    t.equal(date === undefined, text === 'Bad time value', digits)
  }
  t.equal(
    parsed(madeCertificate({ notAfter: derValue(0x17, Buffer.from('200101000000+0130')) })).notAfter.date?.toISOString(),
    '2019-12-31T22:30:00.000Z',
  )
})

t.test('an algorithm that has no name is UNKNOWN', async (t) => {
  const der = madeCertificate({})
  // Ed25519 becomes 1.3.101.126.
  const altered = Buffer.from(der.toString('hex').replaceAll('06032b6570', '06032b657e'), 'hex')
  t.match(parsed(altered), { keyAlgorithm: { name: 'UNKNOWN', oid: '1.3.101.126' }, signatureAlgorithm: { name: 'UNKNOWN' } })
})

t.test('bytes that are not strictly DER are malformed, with what is wrong and where', async (t) => {
  const der = madeCertificate({})
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['nothing', Buffer.alloc(0), 'the input is truncated'],
    ['half', der.subarray(0, der.length >> 1), 'a value ends after the one around it'],
    ['more', Buffer.concat([der, Buffer.from([0])]), 'bytes after the last value'],
    [
      'an indefinite length',
      Buffer.concat([Buffer.from([0x30, 0x80]), der.subarray(4), Buffer.alloc(2)]),
      'a length is indefinite',
    ],
    ['a longer length', Buffer.concat([Buffer.from([0x30, 0x83, 0]), der.subarray(2)]), 'a length is longer than necessary'],
    ['a huge length', Buffer.from([0x30, 0x85, 1, 0, 0, 0, 0]), 'a length is too large'],
    ['another tag', derSequence(derInteger(1)), 'tag 0x30 expected, but tag 0x02 found'],
    ['a long serial', madeCertificate({ serial: Buffer.from([2, 2, 0, 1]) }), 'an INTEGER is longer than necessary'],
    ['an empty serial', madeCertificate({ serial: Buffer.from([2, 0]) }), 'an INTEGER is empty'],
    [
      'a wrong identifier',
      madeCertificate({ subject: nameOf(Buffer.from([0x30, 4, 6, 2, 0x80, 1])) }),
      'an OBJECT IDENTIFIER has a leading zero',
    ],
  ]
  for (const [name, bytes, malformed] of cases) t.match(parseCertificate(bytes), { malformed }, name)
  t.match(parseCertificate(Buffer.concat([der, Buffer.from([0])])), { offset: der.length })
})

t.test('a certificate inside a larger buffer is read in place', async (t) => {
  const der = madeCertificate({})
  const larger = new Uint8Array(Buffer.concat([Buffer.from('before'), der, Buffer.from('after')]))
  t.match(parseCertificate(larger.subarray(6, 6 + der.length)), { serial: '01' })
})

t.test('values that are nested too deeply are malformed', async (t) => {
  let inside = derSequence()
  for (let depth = 0; depth < 100_000; depth += 1000) inside = derExplicit(0, inside)
  t.ok(isMalformed(parseCertificate(derSequence(inside))))
})

t.test('a name with very many attributes and one with a very long identifier are read', async (t) => {
  const many = Array.from({ length: 20_000 }, () => attribute('2.5.4.11', 0x0c, 'x'))
  t.equal(parsed(madeCertificate({ subject: nameOf(...many) })).subject.relativeNames.length, 20_000)
  const long = derSequence(derValue(6, Buffer.alloc(100_000, 0x81).fill(1, 99_999)), derValue(0x0c, Buffer.from('x')))
  t.equal(parsed(madeCertificate({ subject: nameOf(long) })).subject.relativeNames[0][0].oid, '')
})
