import fc from 'fast-check'
import t from 'tap'
import { hasBit } from '../src/der-values.ts'
import { derNamedBits } from '../src/der-writer.ts'
import * as x509 from '../src/index.ts'
import { oidContents, oidText } from '../src/oid.ts'
import { openssl, withoutOpenssl } from './support/openssl.ts'

const read = (der: Buffer): x509.DerReader => new x509.DerReader(der)

t.test('identifiers of any numbers survive writing and reading', async (t) => {
  const arcs = fc.array(fc.bigInt({ min: 0n, max: 1n << 80n }), { maxLength: 6 })
  fc.assert(
    fc.property(fc.constantFrom(0n, 1n, 2n), fc.bigInt({ min: 0n, max: 1n << 70n }), arcs, (top, second, others) => {
      const text = [top, top < 2n ? second % 40n : second, ...others].join('.')
      t.equal(oidText(oidContents(text), 0), text)
    }),
    { numRuns: 300 },
  )
})

t.test('numbers survive writing and reading, as short as possible', async (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1n << 200n }), (number) => {
      const contents = x509.readInteger(read(x509.derInteger(number)))
      t.equal(BigInt(`0x${contents.toString('hex')}`), number)
    }),
    { numRuns: 200 },
  )
  t.same(x509.derInteger(0), Buffer.from([2, 1, 0]))
  t.same(x509.derInteger(128), Buffer.from([2, 2, 0, 128]))
  t.same(x509.derInteger(Buffer.alloc(0)), Buffer.from([2, 1, 0]))
  t.equal(x509.readSmallInteger(read(x509.derInteger(0x7fffffff))), 0x7fffffff)
  t.throws(() => x509.readSmallInteger(read(x509.derInteger(0x80000000))), /negative or too large/)
  t.throws(() => x509.readSmallInteger(read(Buffer.from([2, 1, 0xff]))), /negative or too large/)
})

t.test(
  'contents of any length are written with the shortest length, which openssl reads',
  { skip: withoutOpenssl },
  async (t) => {
    for (const length of [0, 1, 127, 128, 255, 256, 65_535, 65_536]) {
      const der = x509.derOctets(Buffer.alloc(length, 1))
      const reader = read(der)
      t.equal(reader.contents(reader.next(x509.tags.OCTET_STRING)).length, length)
      reader.finish()
      t.match(openssl(['asn1parse', '-inform', 'der'], der), `l=${String(length).padStart(4)} prim: OCTET STRING`)
    }
  },
)

t.test('named bits are written without trailing zeros and found by number', async (t) => {
  const bits = x509.readBits(read(derNamedBits(0, 5, 8)))
  t.same(
    [0, 1, 5, 7, 8, 9, 100].map((bit) => hasBit(bits, bit)),
    [true, false, true, false, true, false, false],
  )
  t.equal(bits.unused, 7)
  t.same(derNamedBits(), Buffer.from([3, 1, 0]))
  for (const wrong of [
    [3, 0],
    [3, 1, 1],
    [3, 2, 8, 0],
  ])
    t.throws(() => x509.readBits(read(Buffer.from(wrong))), /unused bits/)
})

t.test('sets are written in the order of DER', async (t) => {
  t.same(x509.derSet(x509.derInteger(2), x509.derNull(), x509.derInteger(1)), Buffer.from([0x31, 8, 2, 1, 1, 2, 1, 2, 5, 0]))
})

t.test('a boolean is 0x00 or 0xff, and false if absent', async (t) => {
  t.equal(x509.readBooleanOrFalse(read(x509.derBoolean(true))), true)
  t.equal(x509.readBooleanOrFalse(read(x509.derBoolean(false))), false)
  t.equal(x509.readBooleanOrFalse(read(Buffer.alloc(0))), false)
  t.throws(() => x509.readBooleanOrFalse(read(Buffer.from([1, 1, 1]))), /neither 0x00 nor 0xff/)
})

t.test('times are UTCTime until 2049 and GeneralizedTime from 2050', async (t) => {
  t.same(
    x509.derTime(new Date('2049-12-31T23:59:59.999Z')),
    Buffer.concat([Buffer.from([0x17, 13]), Buffer.from('491231235959Z')]),
  )
  t.same(x509.derTime(new Date('2050-01-01T00:00:00Z')), Buffer.concat([Buffer.from([0x18, 15]), Buffer.from('20500101000000Z')]))
  t.same(x509.derTime(new Date('1949-01-01T00:00:00Z')), Buffer.concat([Buffer.from([0x18, 15]), Buffer.from('19490101000000Z')]))
})

t.test('tag numbers above 30 are passed over, and too large ones are malformed', async (t) => {
  const reader = read(Buffer.from([0x1f, 0x81, 0x01, 1, 7, 5, 0]))
  t.same(reader.contents(reader.next()), Buffer.from([7]))
  t.equal(reader.next(x509.tags.NULL).at, 5)
  t.throws(() => read(Buffer.from([0x1f, 0x81, 0x81, 0x81, 0x81, 1, 0])).next(), /a tag number is too large/)
})

t.test('addresses of both families become bytes', async (t) => {
  t.same([...x509.addressOctets('1.2.3.255')], [1, 2, 3, 255])
  t.same(x509.addressOctets('::').toString('hex'), '0'.repeat(32))
  t.same(x509.addressOctets('2001:db8::ffff:1').toString('hex'), '20010db80000000000000000ffff0001')
  t.same(x509.addressOctets('1:2:3:4:5:6:7:8').toString('hex'), '00010002000300040005000600070008')
  t.same(x509.addressOctets('::ffff:1.2.3.4').toString('hex'), '00000000000000000000ffff01020304')
  t.same(x509.addressOctets('fe80::').toString('hex'), `fe80${'0'.repeat(28)}`)
})
