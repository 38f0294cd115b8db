import t from 'tap'
import { converse, first, get, statuses } from './harness.ts'

const HEAD = 'POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
const NEXT = get('/next', 'Connection: close\r\n')

/** Statuses of the request and of the next one, in strict and in unsafe mode; recorded from httpd 2.4.71. */
const ROWS: [body: string, strict: number[], unsafe: number[]][] = [
  ['3\r\nabc\r\n0\r\n\r\n', [200, 200], [200, 200]],
  ['3;ext=1\r\nabc\r\n0\r\n\r\n', [200, 200], [200, 200]],
  ['3 ;x=y\r\nabc\r\n0\r\n\r\n', [200, 200], [200, 200]],
  ['3\t\r\nabc\r\n0\r\n\r\n', [200, 200], [200, 200]],
  ['3;a\tb\xe9\r\nabc\r\n0 ;x\r\n\r\n', [200, 200], [200, 200]],
  ['A\r\n0123456789\r\n00\r\n\r\n', [200, 200], [200, 200]],
  ['000000000000000000000000000000000003\r\nabc\r\n0\r\n\r\n', [200, 200], [200, 200]],
  ['0\r\nT: v\r\n fold\r\n\r\n', [200, 200], [200, 200]],
  ['3\nabc\r\n0\r\n\r\n', [400], [200, 200]],
  ['3\r\nabc\n0\r\n\r\n', [400], [200, 200]],
  ['3\r\nabc\r\n0\n\n', [400], [200, 200]],
  ['3\r\nabc\r\n0\r\n\n', [400], [200, 200]],
  ['3\r\nabcX\r\n0\r\n\r\n', [400], [400]],
  ['3\r\nabc\r0\r\n\r\n', [400], [400]],
  ['3\rabc\r\n0\r\n\r\n', [400], [400]],
  ['3\r\nabc\r\n\r\n0\r\n\r\n', [400], [400]],
  [' 3\r\nabc\r\n0\r\n\r\n', [400], [400]],
  ['3 x\r\nabc\r\n0\r\n\r\n', [400], [400]],
  [`3${' '.repeat(10)}\r\nabc\r\n0${'\t'.repeat(10)};x\r\n\r\n`, [200, 200], [200, 200]],
  [`3${' '.repeat(11)}\r\nabc\r\n0\r\n\r\n`, [400], [400]],
  [`3 \t${' '.repeat(9)};x\r\nabc\r\n0\r\n\r\n`, [400], [400]],
  ['3x\r\nabc\r\n0\r\n\r\n', [400], [400]],
  ['0x3\r\nabc\r\n0\r\n\r\n', [400], [400]],
  ['+3\r\nabc\r\n0\r\n\r\n', [400], [400]],
  ['-1\r\nabc', [400], [400]],
  ['zz\r\nabc\r\n0\r\n\r\n', [400], [400]],
  [';\r\n0\r\n\r\n', [400], [400]],
  ['\r\n0\r\n\r\n', [400], [400]],
  ['3;a\x01b\r\nabc\r\n0\r\n\r\n', [400], [400]],
  ['3;a\x7fb\r\nabc\r\n0\r\n\r\n', [400], [400]],
  ['3;a\rb\r\nabc\r\n0\r\n\r\n', [400], [400]],
  ['8000000000000000\r\nabc', [413], [413]],
  ['ffffffffffffffff1\r\nabc', [413], [413]],
  [`3;${'x'.repeat(8300)}\r\nabc\r\n0\r\n\r\n`, [413], [413]],
  ['0\r\nT v\r\n\r\n', [400], [400]],
  ['0\r\n T: v\r\n\r\n', [400], [400]],
  ['0\r\nT: \x01\r\n\r\n', [400], [200, 200]],
  ['0\r\nT: v\n\r\n', [400], [200, 200]],
]

t.test('chunked bodies are accepted or rejected as in httpd, and the next request begins after them', async (t) => {
  for (const [body, strict, unsafe] of ROWS) {
    t.same(statuses(converse(HEAD + body + NEXT).transport.text), strict, `strict: ${JSON.stringify(body).slice(0, 80)}`)
    const text = converse(HEAD + body + NEXT, { strict: false }).transport.text
    t.same(statuses(text), unsafe, `unsafe: ${JSON.stringify(body).slice(0, 80)}`)
  }
})

t.test('a chunk line is limited like a request line', async (t) => {
  const body = (length: number) => `3;${'x'.repeat(length - 4)}\r\nabc\r\n0\r\n\r\n`
  t.same(statuses(converse(HEAD + body(100), { limitRequestLine: 100 }).transport.text), [200])
  t.same(statuses(converse(HEAD + body(101), { limitRequestLine: 100 }).transport.text), [413])
})

t.test('trailers are limited like header fields', async (t) => {
  const status = (trailers: string) =>
    statuses(converse(`${HEAD}0\r\n${trailers}\r\n`, { limitRequestFields: 3, limitRequestFieldSize: 30 }).transport.text)
  t.same(status('A: 1\r\nB: 2\r\nC: 3\r\n'), [200])
  t.same(status('A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n'), [400])
  t.same(status(`A: ${'v'.repeat(40)}\r\n`), [400])
})

t.test('trailers are apart from the header fields', async (t) => {
  const exchange = first(`${HEAD}1\r\na\r\n0\r\nHost: b\r\nT: 1\r\nT: 2\r\n\r\n`)
  t.equal(exchange.fields.get('host'), 'a')
  t.same(
    [...(exchange.trailers ?? [])],
    [
      ['Host', 'b'],
      ['T', '1, 2'],
    ],
  )
})
