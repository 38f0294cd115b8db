import { isIP } from 'node:net'
import t from 'tap'
import { derImplicit, derSequence } from '../src/der-writer.ts'
import { addressOctets, coversAddress, coversHost, hostNamesOf, namesServer } from '../src/index.ts'
import { attribute, madeCertificate, nameOf } from './support/made-certificate.ts'
import { openssl, parsed, withoutOpenssl } from './support/openssl.ts'

const CN = '2.5.4.3'

function withNames(names: readonly string[], common: readonly string[] = []): Buffer {
  const values = names.map((name) =>
    isIP(name) === 0 ? derImplicit(2, Buffer.from(name, 'latin1')) : derImplicit(7, addressOctets(name)),
  )
  const subject = nameOf(...common.map((name) => attribute(CN, 0x0c, name)))
  return madeCertificate({ subject, extensions: names.length > 0 ? [['2.5.29.17', derSequence(...values)]] : [] })
}

t.test('hosts match as in openssl', { skip: withoutOpenssl }, async (t) => {
  const hosts = [
    'a.test',
    'A.Test',
    'x.a.test',
    'x.y.a.test',
    'www.test',
    'wwwx.test',
    'xn--a.b.test',
    '.a.test',
    'test',
    '*.a.test',
    'x-y.a.test',
    'a.test.',
    'x_y.a.test',
  ]
  const certificates: readonly (readonly [readonly string[], readonly string[]])[] = [
    [['a.test'], []],
    [['*.a.test', '1.2.3.4'], []],
    [['*.test', '*', '*.*.test', '**.a.test'], []],
    [['w*.b.test', 'www*.a.test', '*x.a.test', 'x*y.a.test'], []],
    [['*.b.test', 'xn--*.b.test', 'x*.b.test'], []],
    [['-*.a.test', '*-.a.test', '*.-a.test', '*.a_.test', 'x-*.a.test'], []],
    [['a.test\0.evil.test', ''], []],
    [['b.test'], ['a.test']],
    [['1.2.3.4'], ['a.test']],
    [[], ['a.test', '*.a.test']],
    [[], ['a.test\0.evil']],
  ]
  for (const [names, common] of certificates) {
    const der = withNames(names, common)
    for (const host of hosts) {
      const shown = openssl(['x509', '-inform', 'der', '-noout', '-checkhost', host], der)
      t.equal(coversHost(parsed(der), host), shown.includes('does match'), `${host} by ${JSON.stringify([names, common])}`)
    }
  }
})

t.test('addresses match by their bytes alone', { skip: withoutOpenssl }, async (t) => {
  const der = withNames(['1.2.3.4', '2001:db8::1', '::ffff:5.6.7.8', '9.9.9.9'.replaceAll('9', '8')], ['7.7.7.7'])
  for (const address of ['1.2.3.4', '2001:db8:0:0::1', '5.6.7.8', '7.7.7.7', '::1', '8.8.8.8', '::ffff:5.6.7.8']) {
    const shown = openssl(['x509', '-inform', 'der', '-noout', '-checkip', address], der)
    t.equal(coversAddress(parsed(der), addressOctets(address)), shown.includes('does match'), address)
    t.notOk(coversHost(parsed(der), address === '7.7.7.7' ? '' : address), address)
  }
})

t.test('no host matches a name with a NUL, and no name matches an empty host', async (t) => {
  const certificate = parsed(withNames(['a.test\0.evil.test', 'a.test\0', '*.a\0.test', '']))
  for (const host of ['a.test', 'a.test\0', 'a.test\0.evil.test', '', 'x.a\0.test'])
    t.notOk(coversHost(certificate, host), JSON.stringify(host))
  t.notOk(namesServer(certificate, 'a.test'))
})

t.test("mod_ssl finds a server's name also among common names, and with a wildcard for the first label alone", async (t) => {
  const certificate = parsed(withNames(['b.test', '*.c.test'], ['A.test', 'w*.d.test']))
  for (const name of ['a.test', 'B.TEST', 'x.c.test']) t.ok(namesServer(certificate, name), name)
  for (const name of ['c.test', 'x.y.c.test', 'www.d.test', 'e.test', '']) t.notOk(namesServer(certificate, name), name)
  t.same(hostNamesOf(certificate), ['b.test', '*.c.test', 'A.test', 'w*.d.test'])
})
