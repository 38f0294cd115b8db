import t from 'tap'
import { signatureAlgorithm, signedStructure } from '../src/build/signer.ts'
import { derExplicit, derInteger, derOctets, derOid, derSequence, derTime, derValue } from '../src/der-writer.ts'
import { type Crl, isMalformed, nameAsRfc2253, parseCrl, pemText, readPem } from '../src/index.ts'
import { attribute, KEY, nameOf } from './support/made-certificate.ts'
import { fixture, openssl, parsed, withoutOpenssl } from './support/openssl.ts'

const ISSUER = nameOf(attribute('2.5.4.3', 0x0c, 'ca'))
const NOW = derTime(new Date('2026-01-01T00:00:00Z'))

function list(...parts: Buffer[]): Buffer {
  return signedStructure(derSequence(derInteger(1), signatureAlgorithm(KEY), ISSUER, NOW, ...parts), KEY)
}

function entry(serial: Buffer, ...reasons: Buffer[]): Buffer {
  const extensions = reasons.map((reason) => derSequence(derOid('2.5.29.21'), derOctets(reason)))
  return derSequence(serial, NOW, ...(extensions.length > 0 ? [derSequence(...extensions)] : []))
}

function read(der: Uint8Array): Crl {
  const crl = parseCrl(der)
  if (isMalformed(crl)) throw new Error(crl.malformed)
  return crl
}

t.test('a list has issuer, dates and revoked serials', async (t) => {
  const crl = read(fixture('ca.crl'))
  t.equal(nameAsRfc2253(crl.issuer), 'CN=Example Root,O=Example Trust,C=DE')
  t.equal(crl.thisUpdate.text, 'Jan  1 00:00:00 2020 GMT')
  t.equal(crl.nextUpdate?.text, 'Jan  1 00:00:00 2066 GMT')
  t.ok(crl.issuer.der.equals(parsed(fixture('revoked.crt')).issuer.der))
  t.ok(crl.revoked.has(parsed(fixture('revoked.crt')).serial))
  t.notOk(crl.revoked.has(parsed(fixture('alice.crt')).serial))
  t.equal(crl.version, 2)
})

t.test('entries have dates and reasons; one with a malformed reason is revoked', { skip: withoutOpenssl }, async (t) => {
  const keyCompromise = derValue(0x0a, Buffer.from([1]))
  const entries = [entry(derInteger(0x1001), keyCompromise), entry(derInteger(2)), entry(derInteger(3), derInteger(1))]
  const der = list(NOW, derSequence(...entries))
  const { revoked } = read(der)
  t.same(
    [...revoked].map(([serial, { reason }]) => [serial, reason]),
    [
      ['1001', 1],
      ['02', undefined],
      ['03', 0],
    ],
  )
  t.equal(revoked.get('02')?.date.text, 'Jan  1 00:00:00 2026 GMT')
  t.match(openssl(['crl', '-noout', '-text'], pemText('X509 CRL', der)), 'Serial Number: 1001\n')
})

t.test('a list without entries, without next update and with extensions is read', async (t) => {
  t.match(read(list()), { nextUpdate: undefined, revoked: new Map(), extensions: [] })
  const number = derExplicit(0, derSequence(derSequence(derOid('2.5.29.20'), derOctets(derInteger(7)))))
  t.match(read(list(number)), { nextUpdate: undefined, extensions: [{ oid: '2.5.29.20', critical: false }] })
})

t.test('a list of a hundred thousand entries is read', async (t) => {
  const entries = Array.from({ length: 100_000 }, (_, index) => entry(derInteger(index + 1)))
  const { revoked } = read(list(NOW, derSequence(...entries)))
  t.equal(revoked.size, 100_000)
  t.ok(revoked.has('0186A0'))
})

t.test('what is not a list is malformed', async (t) => {
  t.ok(isMalformed(parseCrl(fixture('alice.crt'))))
  t.ok(isMalformed(parseCrl(Buffer.concat([fixture('ca.crl'), Buffer.alloc(1)]))))
  t.ok(isMalformed(parseCrl(list(NOW, derSequence(derInteger(1))))))
  t.same(readPem('').length, 0)
})
