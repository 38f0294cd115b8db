import t from 'tap'
import { converse, first } from './harness.ts'

const LINE = 'GET / HTTP/1.1\r\nHost: localhost\r\n'

/** Status and the value of X-A in strict mode, then in unsafe mode; recorded from httpd 2.4.71. */
const ROWS: [lines: string, strict: number, strictValue: string | undefined, unsafe: number, unsafeValue: string | undefined][] =
  [
    ['X-A: b\r\n', 200, 'b', 200, 'b'],
    ['X-A:b\r\n', 200, 'b', 200, 'b'],
    ['X-A:\r\n', 200, '', 200, ''],
    ['X-A: \t \r\n', 200, '', 200, ''],
    ['X-A: \t a\tb \t\r\n', 200, 'a\tb', 200, 'a\tb'],
    ['X-A: b\xe9c\r\n', 200, 'b\xe9c', 200, 'b\xe9c'],
    ['NoColon\r\n', 400, undefined, 400, undefined],
    [': empty\r\n', 400, undefined, 400, undefined],
    ['X-A : b\r\n', 400, undefined, 400, undefined],
    ['X-A\t: b\r\n', 400, undefined, 400, undefined],
    ['X A: b\r\n', 400, undefined, 400, undefined],
    ['X-\xe9: c\r\n', 400, undefined, 200, undefined],
    ['G@T: c\r\n', 400, undefined, 200, undefined],
    ['X-A: b\0c\r\n', 400, undefined, 400, undefined],
    ['X-A: b\x01c\r\n', 400, undefined, 200, 'b\x01c'],
    ['X-A: b\x7fc\r\n', 400, undefined, 200, 'b\x7fc'],
    ['X-A: b\x0bc\r\n', 400, undefined, 400, undefined],
    ['X-A: b\rc\r\n', 400, undefined, 400, undefined],
    ['X-A: a\r\r\n', 400, undefined, 400, undefined],
    ['X-A: b\n', 400, undefined, 200, 'b'],
    ['X-A: b\nX-B: c\r\n', 400, undefined, 200, 'b'],
    ['X-A: one\r\n two\r\n', 200, 'one two', 200, 'one two'],
    ['X-A: a\r\n   b  \r\n\tc\r\n', 200, 'a b c', 200, 'a b c'],
    ['X-A:\r\n two\r\n', 200, 'two', 200, 'two'],
    ['X-A: one\r\n :two\r\n', 200, 'one :two', 200, 'one :two'],
    ['X-A\r\n :two\r\n', 400, undefined, 400, undefined],
    ['X-A: one\r\n two\x01\r\n', 400, undefined, 200, 'one two\x01'],
    ['X-A: one\r\n \r\n', 400, undefined, 400, undefined],
    ['X-A: one\r\n \t \r\n', 400, undefined, 400, undefined],
    ['X-A: 1\r\nX-B: 3\r\nx-a: 2\r\n', 200, '1, 2', 200, '1, 2'],
    ['X-A: 1\r\nX-A:\r\nX-A: 3\r\n', 200, '1, , 3', 200, '1, , 3'],
  ]

t.test('fields are read or refused as httpd does it, in strict and in unsafe mode', async (t) => {
  for (const [lines, strict, strictValue, unsafe, unsafeValue] of ROWS) {
    for (const [mode, status, value] of [
      [true, strict, strictValue],
      [false, unsafe, unsafeValue],
    ] as const) {
      const exchange = first(`${LINE}${lines}\r\n`, { strict: mode })
      const got = exchange.refusal === null ? 200 : exchange.refusal.status
      t.equal(got, status, `${mode ? 'strict' : 'unsafe'}: ${JSON.stringify(lines)}`)
      if (status === 200) t.equal(exchange.fields.get('x-a'), value, `value of ${JSON.stringify(lines)}`)
    }
  }
})

t.test('each fault has its own log line, followed by the general one', async (t) => {
  const codes = (lines: string, strict = true) => {
    const log = first(`GET / HTTP/1.0\r\n${lines}\r\n`, { strict }).refusal?.log
    return [log?.code, log?.next?.code]
  }
  t.same(codes(' X: a\r\n'), ['AH03442', 'AH00567'])
  t.same(codes('X: a\r\n \r\n'), ['AH03443', 'AH00567'])
  t.same(codes('X\r\n'), ['AH02426', 'AH00567'])
  t.same(codes('X: \x01\r\n'), ['AH02427', 'AH00567'])
  t.same(codes('X\r\n', false), ['AH00564', 'AH00567'])
  t.same(codes(': x\r\n', false), ['AH03453', 'AH00567'])
  t.same(codes('X : x\r\n', false), ['AH03452', 'AH00567'])
  t.same(codes('X: a\x0b\r\n', false), ['AH03451', 'AH00567'])
  const log = first('GET / HTTP/1.0\r\nX: a\0b\r\n\r\n').refusal?.log
  t.match(log, { errno: '(22)Invalid argument', code: '', text: 'Failed to read request header line X: a' })
})

t.test('a line may be one byte longer than LimitRequestFieldSize, trailing blanks included', async (t) => {
  const settings = { limitRequestFieldSize: 20 }
  const status = (lines: string) => first(`GET / HTTP/1.0\r\n${lines}\r\n`, settings).refusal?.status ?? 200
  t.equal(status(`X-A: ${'v'.repeat(16)}\r\n`), 200)
  t.equal(status(`X-A: ${'v'.repeat(17)}\r\n`), 400)
  t.equal(status(`X-A: vv${' '.repeat(14)}\r\n`), 200)
  t.equal(status(`X-A: vv${' '.repeat(15)}\r\n`), 400)
  t.match(first('GET / HTTP/1.0\r\nX-A: vvvvvvvvvvvvvvvvvvvv', settings).refusal, {
    note: 'Size of a request header field exceeds server limit.',
    log: { errno: '(28)No space left on device', next: { code: 'AH00561', level: 'info', text: /FieldSize: X-A$/ } },
  })
})

t.test('folded and merged fields have limits of their own', async (t) => {
  const settings = { limitRequestFieldSize: 20 }
  const refusal = (lines: string) => first(`GET / HTTP/1.0\r\n${lines}\r\n`, settings).refusal
  t.equal(refusal(`X-A: vv\r\n  ${'f'.repeat(10)}\r\n`), null)
  t.match(refusal(`X-A: vv\r\n  ${'f'.repeat(11)}\r\n`), { status: 400, log: { code: 'AH00562' }, note: /Size of a request/ })
  t.equal(refusal(`A: v\r\nA: ${'w'.repeat(17)}\r\n`), null)
  t.match(refusal(`A: v\r\nA: ${'w'.repeat(18)}\r\n`), { status: 400, log: { code: 'AH00560' }, note: /Size of a request/ })
})

t.test('more fields than LimitRequestFields are refused, repeated ones counted; 0 means any number', async (t) => {
  const refusal = (count: number, limitRequestFields: number) =>
    first(`GET / HTTP/1.0\r\n${'A: 1\r\n'.repeat(count)}\r\n`, { limitRequestFields }).refusal
  t.equal(refusal(3, 3), null)
  t.match(refusal(4, 3), {
    status: 400,
    note: "The number of request header fields exceeds this server's limit.",
    log: { code: 'AH00563', level: 'info' },
  })
  t.equal(refusal(500, 0), null)
})

t.test('a field counts when the line behind it has been read: faults are found in httpd’s order', async (t) => {
  const settings = { limitRequestFieldSize: 20 }
  t.match(first(`GET / HTTP/1.0\r\nBad\r\nC: ${'v'.repeat(40)}\r\n\r\n`, settings).refusal?.note, /^Size of/)
  const { host, transport } = converse('GET / HTTP/1.0\r\nBad\r\n')
  t.equal(host.exchanges.length, 0, 'the next line might have continued it')
  transport.feed('\r\n')
  t.equal(host.exchanges[0]?.refusal?.status, 400)
})

t.test('the fields before a fault stay readable for the log', async (t) => {
  const exchange = first('GET / HTTP/1.0\r\nUser-Agent: x y\r\nBad\r\n\r\n')
  t.equal(exchange.refusal?.status, 400)
  t.equal(exchange.fields.get('user-agent'), 'x y')
})

t.test('a connection that ends within the fields gets a 400, within the request line no response', async (t) => {
  for (const [raw, status] of [
    ['GET / HTTP/1.1\r\nHost: a', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\n', 400],
    ['GET / HTTP/1.1\r\n', 400],
    ['GET / HTTP/1.1\r', 0],
    ['GET / HTTP/1.1', 0],
    ['\r\n', 0],
    ['', 0],
  ] as const) {
    const { host, transport } = converse(raw)
    transport.feedEnd()
    t.equal(host.exchanges[0]?.refusal?.status ?? 0, status, JSON.stringify(raw))
    t.ok(transport.ended, 'the connection closes')
    if (status === 0) t.equal(transport.text, '')
  }
})
