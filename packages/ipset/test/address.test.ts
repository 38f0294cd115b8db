import t from 'tap'
import { isLoopback, parseAddress } from '../src/index.ts'

t.test('an IPv4 address is one unsigned number', async (t) => {
  t.same(parseAddress('127.0.0.1'), { family: 4, w0: 0x7f000001, w1: 0, w2: 0, w3: 0 })
  t.same(parseAddress('255.255.255.254'), { family: 4, w0: 0xfffffffe, w1: 0, w2: 0, w3: 0 })
})

t.test('an IPv6 address is four unsigned numbers', async (t) => {
  t.same(parseAddress('2001:db8::ffff:1'), { family: 6, w0: 0x20010db8, w1: 0, w2: 0, w3: 0xffff0001 })
  t.same(parseAddress('fedc:ba98:7654:3210:FEDC:BA98:7654:3210'), {
    family: 6,
    w0: 0xfedcba98,
    w1: 0x76543210,
    w2: 0xfedcba98,
    w3: 0x76543210,
  })
  t.same(parseAddress('64:ff9b::192.0.2.1'), { family: 6, w0: 0x64ff9b, w1: 0, w2: 0, w3: 0xc0000201 })
})

t.test('an IPv4-mapped IPv6 address is the IPv4 address, however it is written', async (t) => {
  for (const text of ['::ffff:10.1.2.3', '::FFFF:a01:203', '0:0:0:0:0:ffff:10.1.2.3', '::ffff:10.1.2.3%eth0']) {
    t.same(parseAddress(text), { family: 4, w0: 0x0a010203, w1: 0, w2: 0, w3: 0 }, text)
  }
  t.equal(parseAddress('::10.1.2.3')?.family, 6, 'IPv4-compatible is not mapped')
})

t.test('a zone does not change the address', async (t) => {
  t.same(parseAddress('fe80::1%eth0'), parseAddress('fe80::1'))
})

t.test('what is not beyond doubt an address is none', async (t) => {
  const refused = [
    '',
    '10.1',
    '127',
    '1.2.3.4.',
    '127.0.0.01',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '1.2.3.4.5',
    '1.2.3.256',
    ' 1.2.3.4',
    '1.2.3.4 ',
    '1.2.3.4:80',
    '10.0.0.0/8',
  ]
  refused.push(
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4::5:6:7:8',
    '::1:',
    '00001::',
    '[::1]',
    '::1.2.3',
    '::01.2.3.4',
    'localhost',
    '::1/128',
    '::%',
  )
  refused.push('1.2.3.4\n', '1.2.3.4\u0000', '١.2.3.4')
  for (const text of refused) t.equal(parseAddress(text), undefined, JSON.stringify(text))
})

t.test('loopback is 127.0.0.0/8 and ::1', async (t) => {
  const expected: Record<string, boolean> = {
    '127.0.0.1': true,
    '127.255.255.255': true,
    '::ffff:127.0.0.1': true,
    '::1': true,
    '126.255.255.255': false,
    '128.0.0.0': false,
    '255.0.0.1': false,
    '0.0.0.1': false,
    '::': false,
    '::2': false,
    '1::1': false,
    '::127.0.0.1': false,
  }
  for (const [text, loopback] of Object.entries(expected)) {
    const address = parseAddress(text)
    t.equal(address !== undefined && isLoopback(address), loopback, text)
  }
})
