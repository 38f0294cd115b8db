import t from 'tap'
import type { ClientRequest } from '../src/index.ts'
import { exchange, getRequest, start } from './collected.ts'
import { backend, poolFor } from './raw-server.ts'

const OK = 'HTTP/1.1 200 OK\r\n'

interface Row {
  readonly name: string
  readonly sent: string
  readonly request?: Partial<ClientRequest>
  /** What becomes of it; `error` for a refusal. */
  readonly expected: Record<string, unknown>
}

const ROWS: readonly Row[] = [
  {
    name: 'a length ends a body',
    sent: `${OK}Content-Length: 3\r\n\r\nabc`,
    expected: { body: 'abc', framing: 'length', ended: true },
  },
  {
    name: 'chunks are joined, extensions ignored, trailers kept apart',
    sent: `${OK}Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nX-T: t\r\n\r\n`,
    expected: { body: 'abcde', framing: 'chunked', trailers: [['X-T', 't']], ended: true },
  },
  {
    name: 'the end of the connection ends a body',
    sent: `${OK}\r\nuntil close`,
    expected: { body: 'until close', framing: 'close', ended: true },
  },
  {
    name: 'HEAD has no body whatever the fields say',
    sent: `${OK}Content-Length: 10\r\n\r\n`,
    request: { method: 'HEAD' },
    expected: { body: '', framing: 'none', ended: true },
  },
  {
    name: '204 has no body',
    sent: 'HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\n',
    expected: { status: 204, reason: 'No', framing: 'none', ended: true },
  },
  {
    name: '304 has no body',
    sent: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n',
    expected: { framing: 'none', ended: true },
  },
  {
    name: 'interim responses come before the response',
    sent: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`,
    expected: { interim: [100, 103], body: 'ok', status: 200 },
  },
  {
    name: 'fields of one name stay apart and in order',
    sent: `${OK}Set-Cookie: a=1\r\nX: y\r\nset-cookie: b=2\r\nContent-Length: 0\r\n\r\n`,
    expected: {
      fields: [
        ['Set-Cookie', 'a=1'],
        ['X', 'y'],
        ['set-cookie', 'b=2'],
        ['Content-Length', '0'],
      ],
    },
  },
  {
    name: 'a folded field is joined with its blanks',
    sent: `${OK}X-Fold: a\r\n  b\r\nContent-Length: 0\r\n\r\n`,
    expected: {
      fields: [
        ['X-Fold', 'a  b'],
        ['Content-Length', '0'],
      ],
    },
  },
  {
    name: 'line feeds alone end the lines of a head',
    sent: 'HTTP/1.1 200 OK\nX: 1\nContent-Length: 2\n\nlf',
    expected: {
      body: 'lf',
      fields: [
        ['X', '1'],
        ['Content-Length', '2'],
      ],
    },
  },
  { name: 'a missing reason is empty', sent: 'HTTP/1.1 451\r\nContent-Length: 0\r\n\r\n', expected: { status: 451, reason: '' } },
  {
    name: 'a fourth digit is no reason',
    sent: 'HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n',
    expected: { status: 200, reason: null },
  },
  { name: 'HTTP/1.2 is read as HTTP/1.1', sent: 'HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n', expected: { version: 1001 } },
  {
    name: 'a later version is refused',
    sent: 'HTTP/2.0 200 OK\r\n\r\n',
    expected: { error: 'status-line', detail: 'HTTP/2.0 200 OK' },
  },
  { name: 'an empty line before the head is refused', sent: `\r\n${OK}\r\n`, expected: { error: 'status-line', detail: '' } },
  {
    name: 'text without a head is a body, without the end of its first line',
    sent: 'just text\nmore\n',
    expected: { version: 9, status: 200, body: 'just textmore\n' },
  },
  {
    name: 'text without a head and without a line end is a body',
    sent: 'just text',
    expected: { version: 9, body: 'just text', ended: true },
  },
  {
    name: 'text without a head is refused if it may not be',
    sent: 'text\n',
    request: { http09: 'refused' },
    expected: { error: 'status-line' },
  },
  { name: 'binary data is refused', sent: '\x16\x03\x01\x02\x00\x01', expected: { error: 'status-line', detail: '' } },
  {
    name: 'a status that is no number is a body',
    sent: 'HTTP/1.1 abc OK\r\n\r\nx',
    expected: { version: 9, body: 'HTTP/1.1 abc OK\r\nx' },
  },
  { name: 'a long status line is refused', sent: `HTTP/1.1 200 ${'a'.repeat(9000)}\r\n\r\n`, expected: { error: 'status-line' } },
  {
    name: 'a line without a colon is refused',
    sent: `${OK}no colon\r\n\r\n`,
    expected: { error: 'field-line', detail: 'no colon' },
  },
  {
    name: 'a line without a colon is ignored if so configured',
    sent: `${OK}no colon\r\nContent-Length: 1\r\n\r\nx`,
    request: { badHeader: 'ignore' },
    expected: { body: 'x', fields: [['Content-Length', '1']] },
  },
  {
    name: 'a line without a colon begins the body if so configured',
    sent: `${OK}X: 1\r\nno colon\r\nContent-Length: 1\r\n\r\nx`,
    request: { badHeader: 'body' },
    expected: { body: 'Content-Length: 1\r\n\r\nx', fields: [['X', '1']], framing: 'close' },
  },
  { name: 'a blank in a name is refused', sent: `${OK}X Y: 1\r\n\r\n`, expected: { error: 'field-name', detail: 'X Y' } },
  { name: 'a blank before the colon is refused', sent: `${OK}X : 1\r\n\r\n`, expected: { error: 'field-name', detail: 'X ' } },
  { name: 'an empty name is refused', sent: `${OK}: 1\r\n\r\n`, expected: { error: 'field-name', detail: '' } },
  {
    name: 'a first line that begins with a blank is refused',
    sent: `${OK} folded\r\nX: 1\r\n\r\n`,
    expected: { error: 'field-line' },
  },
  {
    name: 'a control byte in a value is refused',
    sent: `${OK}X: a\x01b\r\n\r\n`,
    expected: { error: 'field-value', detail: 'X: a\x01b' },
  },
  {
    name: 'a carriage return in a value is refused',
    sent: `${OK}X: a\rSet-Cookie: b\r\n\r\n`,
    expected: { error: 'field-value' },
  },
  { name: 'a NUL is refused', sent: `${OK}X: a\0b\r\n\r\n`, expected: { error: 'nul' } },
  { name: 'a field over the limit is refused', sent: `${OK}X: ${'a'.repeat(9000)}\r\n\r\n`, expected: { error: 'field-size' } },
  {
    name: 'a field that never ends is refused at the limit',
    sent: `${OK}X: ${'a'.repeat(20_000)}`,
    expected: { error: 'field-size' },
  },
  {
    name: 'more fields than allowed are refused',
    sent: `${OK}${'X: 1\r\n'.repeat(11)}\r\n`,
    request: { limits: { statusLine: 8192, fieldSize: 8192, fields: 10, headSize: 1_000_000, interim: 10 } },
    expected: { error: 'field-count' },
  },
  {
    name: 'a head over its size is refused',
    sent: `${OK}${'X: 1\r\n'.repeat(1000)}`,
    request: { limits: { statusLine: 8192, fieldSize: 8192, fields: 0, headSize: 1000, interim: 10 } },
    expected: { error: 'head-size' },
  },
  { name: 'equal lengths are one', sent: `${OK}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`, expected: { body: 'abc' } },
  {
    name: 'different lengths are refused',
    sent: `${OK}Content-Length: 3\r\nContent-Length: 2\r\n\r\nabc`,
    expected: { error: 'content-length', detail: '3, 2' },
  },
  { name: 'a list of lengths is refused', sent: `${OK}Content-Length: 3, 3\r\n\r\nabc`, expected: { error: 'content-length' } },
  { name: 'a negative length is refused', sent: `${OK}Content-Length: -1\r\n\r\n`, expected: { error: 'content-length' } },
  { name: 'a signed length is refused', sent: `${OK}Content-Length: +3\r\n\r\nabc`, expected: { error: 'content-length' } },
  {
    name: 'a length over 2^53 is refused',
    sent: `${OK}Content-Length: 9007199254740993\r\n\r\n`,
    expected: { error: 'content-length' },
  },
  {
    name: 'a transfer coding beside a length wins',
    sent: `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n`,
    expected: { body: 'abcde', framing: 'chunked' },
  },
  {
    name: 'a coding without chunked ends with the connection',
    sent: `${OK}Transfer-Encoding: gzip\r\n\r\nabc`,
    expected: { body: 'abc', framing: 'close' },
  },
  {
    name: 'chunked after a known coding is read',
    sent: `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    expected: { body: 'abc', framing: 'chunked' },
  },
  {
    name: 'chunked twice is refused',
    sent: `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    expected: { error: 'transfer-encoding' },
  },
  {
    name: 'chunked before another coding is refused',
    sent: `${OK}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
    expected: { error: 'transfer-encoding' },
  },
  {
    name: 'an unknown coding before chunked is refused',
    sent: `${OK}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n`,
    expected: { error: 'transfer-encoding' },
  },
  {
    name: 'a bad chunk size is refused',
    sent: `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    expected: { error: 'chunk', body: '' },
  },
  {
    name: 'a line feed alone in chunks is refused',
    sent: `${OK}Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n`,
    expected: { error: 'chunk' },
  },
  {
    name: 'a chunk longer than its size is refused',
    sent: `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n`,
    expected: { error: 'chunk', body: 'abc' },
  },
  {
    name: 'an endless chunk extension is refused',
    sent: `${OK}Transfer-Encoding: chunked\r\n\r\n3;${'x'.repeat(9000)}`,
    expected: { error: 'chunk' },
  },
  {
    name: 'a bad trailer is refused',
    sent: `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\nX Y: 1\r\n\r\n`,
    expected: { error: 'chunk' },
  },
  {
    name: 'a body shorter than its length is truncated',
    sent: `${OK}Content-Length: 10\r\n\r\nabc`,
    expected: { error: 'truncated', body: 'abc' },
  },
  {
    name: 'chunks without an end are truncated',
    sent: `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    expected: { error: 'truncated', body: 'abc' },
  },
  { name: 'a connection closed at once is reported', sent: '', expected: { error: 'closed-early' } },
  { name: 'a connection closed within the status line is reported', sent: 'HTTP/1.1 20', expected: { error: 'closed-in-head' } },
  { name: 'a connection closed within a field is reported', sent: `${OK}Content-Le`, expected: { error: 'closed-in-head' } },
  {
    name: 'a connection closed after an interim response is reported',
    sent: 'HTTP/1.1 100 Continue\r\n\r\n',
    expected: { error: 'closed-in-head', interim: [100] },
  },
  {
    name: 'more than ten interim responses are refused',
    sent: 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(11),
    expected: { error: 'too-many-interim' },
  },
  {
    name: 'an upgrade that was not asked for is refused',
    sent: 'HTTP/1.1 101 S\r\nUpgrade: foo\r\n\r\n',
    expected: { error: 'unexpected-upgrade', detail: 'foo' },
  },
  {
    name: 'an upgrade passes on what follows the head',
    sent: 'HTTP/1.1 101 S\r\nUpgrade: foo\r\n\r\nhello',
    request: { upgrade: true },
    expected: { status: 101, rest: 'hello' },
  },
  {
    name: 'a CONNECT that is accepted becomes a tunnel',
    sent: `${OK}\r\n`,
    request: { method: 'CONNECT' },
    expected: { status: 200, rest: '' },
  },
]

t.test('responses from a socket', async (t) => {
  for (const { name, sent, request, expected } of ROWS) {
    t.test(name, async (t) => {
      const server = await backend((socket) => {
        socket.once('data', () => socket.end(sent, 'latin1'))
      })
      t.teardown(() => server.close())
      const pool = poolFor(server.port)
      t.teardown(() => pool.close())
      const collected = await exchange(pool, request)
      t.match(collected.result, expected)
      if (expected.error === undefined && expected.rest === undefined) t.equal(collected.ended, true, 'it is complete')
    })
  }
})

t.test('every response has the same result wherever it is cut', async (t) => {
  const server = await backend(() => {})
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())

  /** Feeds an exchange with parts, as its connection would, and ends the connection. */
  async function feed(request: Partial<ClientRequest> | undefined, parts: readonly Buffer[]): Promise<object> {
    const collected = start(pool, getRequest(request))
    while (collected.exchange === null) await new Promise((resolve) => setImmediate(resolve))
    for (const part of parts) {
      if (collected.exchange.ended) break
      // The owner of a chunk reuses it.
      const lent = Buffer.from(part)
      collected.exchange.onBytes(lent, lent.length)
      lent.fill(0x21)
    }
    collected.exchange.onEnd()
    collected.upgraded?.connection.destroy()
    const { rest, ...result } = { rest: '', ...collected.result }
    return result
  }

  let cuts = 0
  for (const { name, sent, request } of ROWS) {
    if (sent.length === 0 || sent.length > 1000) continue
    const bytes = Buffer.from(sent, 'latin1')
    const whole = await feed(request, [bytes])
    for (let at = 1; at < bytes.length; at++) {
      const cut = await feed(request, [bytes.subarray(0, at), bytes.subarray(at)])
      cuts++
      if (!t.same(cut, whole, `${name}, cut at ${at}`)) return
    }
    const single = await feed(
      request,
      [...bytes].map((byte) => Buffer.from([byte])),
    )
    t.same(single, whole, `${name}, byte by byte`)
  }
  t.ok(cuts > 1000, 'many cuts were tried')
})
