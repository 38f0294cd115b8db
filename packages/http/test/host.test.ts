import { checkHost, HeaderFields, parseTarget } from '@gatewright/http'
import t from 'tap'
import { converse, first } from './harness.ts'

/** The Host field, and the host name in strict and unsafe mode; null is 400. Recorded from httpd 2.4.71. */
const ROWS: [field: string, strict: string | null, unsafe: string | null][] = [
  ['localhost', 'localhost', 'localhost'],
  ['LOCALhost', 'localhost', 'localhost'],
  ['localhost.', 'localhost', 'localhost'],
  ['.localhost', '.localhost', '.localhost'],
  ['-', '-', '-'],
  ['-a', '-a', '-a'],
  ['a_b', 'a_b', 'a_b'],
  ['a-.b', 'a-.b', 'a-.b'],
  ['a.b1', 'a.b1', 'a.b1'],
  ['1.a', '1.a', '1.a'],
  ['12a', '12a', '12a'],
  ['h'.repeat(300), 'h'.repeat(300), 'h'.repeat(300)],
  ['a.1b', null, 'a.1b'],
  ['a.-b', null, 'a.-b'],
  ['a.b.0', null, 'a.b.0'],
  ['1.2.3.4', '1.2.3.4', '1.2.3.4'],
  ['1.2.3.400', '1.2.3.400', '1.2.3.400'],
  ['300.1.1.1', '300.1.1.1', '300.1.1.1'],
  ['1.2.3.4.', '1.2.3.4', '1.2.3.4'],
  ['0.0.0.0', '0.0.0.0', '0.0.0.0'],
  ['01.2.3.4', null, '01.2.3.4'],
  ['1.2.3.04', null, '1.2.3.04'],
  ['1.2.3', null, '1.2.3'],
  ['1.2.3.4.5', null, '1.2.3.4.5'],
  ['.1.2.3.4', null, '.1.2.3.4'],
  ['123', null, '123'],
  ['123:80', null, '123'],
  ['', null, null],
  ['.', null, ''],
  ['..', null, null],
  ['localhost..', null, null],
  ['a..b', null, null],
  ['a/b', null, null],
  ['http://x', null, null],
  ['a\\b', null, null],
  ['a b', null, 'a b'],
  ['a,b', null, 'a,b'],
  ['a?b', null, 'a?b'],
  ['a%20b', null, 'a%20b'],
  ['user@h', null, 'user@h'],
  ['*', null, '*'],
  ['\xe9.test', null, '\xe9.test'],
  ['a\tb', null, 'a\tb'],
  ['localhost:80', 'localhost', 'localhost'],
  ['localhost:00080', 'localhost', 'localhost'],
  ['localhost:65535', 'localhost', 'localhost'],
  ['localhost:65536', null, null],
  ['localhost:0', null, null],
  ['localhost:', null, 'localhost:'],
  ['localhost:abc', null, 'localhost:abc'],
  ['localhost:80:80', null, 'localhost:80'],
  [':80', null, null],
  ['::1', null, ':'],
  ['[::1]', '::1', '::1'],
  ['[::1]:80', '::1', '::1'],
  ['[FE80::A]', 'fe80::a', 'fe80::a'],
  ['[::ffff:1.2.3.4]', '::ffff:1.2.3.4', '::ffff:1.2.3.4'],
  ['[::1]:', null, null],
  ['[::1]:0', null, null],
  ['[::1]x', null, null],
  ['[::1', null, null],
  ['[::1%lo]', null, null],
  ['[1.2.3.4]', null, null],
  ['[]', null, null],
  ['[g]', null, null],
  ['[1:2:3:4:5:6:7:8:9]', null, null],
]

t.test('a Host field is accepted or refused as httpd does it, in strict and in unsafe mode', async (t) => {
  for (const [field, strict, unsafe] of ROWS) {
    for (const [mode, hostname] of [
      [true, strict],
      [false, unsafe],
    ] as const) {
      const exchange = first(`GET / HTTP/1.1\r\nHost: ${field}\r\n\r\n`, { strict: mode })
      t.equal(exchange.refusal?.status ?? exchange.hostname, hostname ?? 400, `${mode ? 'strict' : 'unsafe'}: ${field}`)
    }
  }
})

t.test('the port of a Host field is separated', async (t) => {
  t.match(first('GET / HTTP/1.1\r\nHost: a:8080\r\n\r\n'), { hostname: 'a', hostPort: 8080 })
  t.match(first('GET / HTTP/1.1\r\nHost: [::1]:81\r\n\r\n'), { hostname: '::1', hostPort: 81 })
  t.match(first('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), { hostname: 'a', hostPort: 0 })
})

t.test('a host is obligatory from HTTP/1.1 on, and a repeated one is refused even if it is the same', async (t) => {
  t.match(first('GET /x HTTP/1.1\r\n\r\n').refusal, { status: 400, log: { code: 'AH00569', text: /: \/x$/ } })
  t.equal(first('GET / HTTP/2.0\r\n\r\n').refusal?.status, 400)
  t.equal(first('GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n').refusal?.status, 400)
  t.match(first('GET / HTTP/1.0\r\n\r\n'), { refusal: null, hostname: null })
  t.match(first('GET / HTTP/1.0\r\nHost:\r\n\r\n'), { refusal: null, hostname: null })
  t.equal(first('GET / HTTP/1.0\r\nHost: a b\r\n\r\n').refusal?.status, 400)
})

t.test('the host of an absolute target wins and replaces the Host field, in strict mode', async (t) => {
  const exchange = first('GET http://X.y:81/p HTTP/1.1\r\nHost: other\r\n\r\n')
  t.match(exchange, { hostname: 'x.y', hostPort: 81, refusal: null })
  t.equal(exchange.fields.get('host'), 'x.y:81')
  t.equal(first('GET http://[::1]:80/ HTTP/1.1\r\nHost: o\r\n\r\n').fields.get('host'), '[::1]:80')
  t.equal(first('GET http://x/ HTTP/1.1\r\nHost: other\r\n\r\n', { strict: false }).fields.get('host'), 'other')
  t.equal(first('GET http://x/ HTTP/1.1\r\n\r\n').refusal?.status, 400, 'HTTP/1.1 wants the field all the same')
  t.equal(first('GET http://x/ HTTP/1.2\r\n\r\n').hostname, 'x')
  t.equal(first('GET https://x/ HTTP/1.1\r\nHost: o\r\n\r\n').hostname, 'o', 'https is another server here')
  t.equal(first('GET http://a..b/ HTTP/1.1\r\nHost: o\r\n\r\n').refusal?.status, 400)
  t.equal(first('GET http://123/ HTTP/1.1\r\nHost: o\r\n\r\n').refusal?.log?.code, 'AH02416')
})

t.test('the log names the place of the fault in a strict host name', async (t) => {
  const log = (host: string) => first(`GET / HTTP/1.0\r\nHost: ${host}\r\n\r\n`).refusal?.log
  t.match(log('user@h'), { code: 'AH02415', text: "[strict] Invalid host name 'user@h', problem near: @h" })
  t.match(log('user@h')?.next, { code: 'AH00550', text: 'Client sent malformed Host header: user@h' })
  t.match(log('1.2.3'), { code: 'AH02415', text: /'1\.2\.3'$/ })
  t.match(log('a..b'), { code: 'AH00550', next: null })
})

t.test('a host that was judged once on a connection is judged the same again', async (t) => {
  const { host } = converse(
    'GET / HTTP/1.1\r\nHost: A:81\r\n\r\nGET / HTTP/1.1\r\nHost: A:81\r\n\r\nGET / HTTP/1.1\r\nHost: b/\r\n\r\n',
  )
  t.match(host.exchanges[1], { hostname: 'a', hostPort: 81, refusal: null })
  t.equal(host.exchanges[2]?.refusal?.status, 400)
})

t.test('checkHost works without a connection', async (t) => {
  const fields = new HeaderFields()
  t.equal(checkHost(fields, 1001, true).refusal?.status, 400)
  fields.set('Host', 'a:1')
  t.match(checkHost(fields, 1001, true), { hostname: 'a', port: 1, refusal: null })
  t.match(checkHost(fields, 1001, true, parseTarget('http://b/')), { hostname: 'b' })
})

t.test('the port of a target of another scheme counts unless the Host field names one', async (t) => {
  const portOf = (target: string, field: string | null): number => {
    const fields = new HeaderFields()
    if (field !== null) fields.set('Host', field)
    return checkHost(fields, 1000, true, parseTarget(target), 'https').port
  }
  t.equal(portOf('http://a:81/', 'b'), 81)
  t.equal(portOf('http://a:81/', 'b:82'), 82)
  t.equal(portOf('http://a:81/', ''), 81)
  t.equal(portOf('http://a:81/', null), 81)
  t.equal(portOf('http://a:/', 'b'), 80)
  t.equal(portOf('http://a:70000/', 'b'), 4464)
  t.equal(portOf('http://a/', 'b'), 0)
  t.equal(checkHost(new HeaderFields(), 1000, false, parseTarget('http://5:81/')).port, 81)
})
