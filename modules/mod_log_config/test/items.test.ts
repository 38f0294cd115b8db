import { pid } from 'node:process'
import type { Request, Transaction } from '@gatewright/api'
import t from 'tap'
import { compileFormat } from '../src/compile-format.ts'
import { builtInItems } from '../src/items/built-in.ts'
import { parseFormat } from '../src/parse-format.ts'
import { connectionWith, fakeTransaction, fieldsOf, requestWith, serverWith, tableOf } from './transaction.ts'

const items = builtInItems({ knownRemoteHost: () => null })

/** The line of a format, without its line feed. */
function line(format: string, transaction: Transaction, definitions = items): string {
  const parts = parseFormat(format, (letter) => definitions.has(letter))
  if ('error' in parts) throw new Error(parts.error)
  const write = compileFormat(parts, definitions)
  if (typeof write === 'string') throw new Error(write)
  const text = write(transaction)
  t.ok(text.endsWith('\n'), 'a line ends with a line feed')
  return text.slice(0, -1)
}

const of = (request: Request, changes: Partial<Transaction> = {}): Transaction => fakeTransaction({ request, ...changes })

/** The example of a 404: `/missing?q=1`, answered with the error document `/err.txt`. */
const original = requestWith({
  requestLine: 'GET /missing?q=1 HTTP/1.1',
  uri: '/missing',
  args: 'q=1',
  filename: '/srv/gw/htdocs/missing',
  status: 404,
  useragentAddress: '127.0.0.1',
  connection: connectionWith({ remoteAddress: '127.0.0.1', remotePort: 33_228, localAddress: '127.0.0.1', localPort: 8301 }),
  useragentPort: 33_228,
  server: serverWith({ serverName: 'main.test' }),
})
const final = requestWith({
  requestLine: original.requestLine,
  uri: '/err.txt',
  filename: '/srv/gw/htdocs/err.txt',
  status: 404,
  prev: original,
  useragentAddress: '127.0.0.1',
  connection: original.connection,
  useragentPort: 33_228,
  server: original.server,
})
const missing = fakeTransaction({ original, final, bodyBytesSent: 8, durationUs: 805 })

t.test('the sample line of an error document contains the original URL and the final file', async (t) => {
  const format =
    'a=%a B=%B b=%b D=%D f=%f h=%h H=%H k=%k l=%l m=%m p=%p pl=%{local}p pr=%{remote}p P=%P q=%q r=%r R=%R s=%s >s=%>s T=%T Tms=%{ms}T Tus=%{us}T u=%u U=%U >U=%>U v=%v V=%V X=%X'
  t.equal(
    line(format, missing),
    `a=127.0.0.1 B=8 b=8 D=805 f=/srv/gw/htdocs/err.txt h=127.0.0.1 H=HTTP/1.1 k=0 l=- m=GET p=80 pl=8301 pr=33228 P=${pid} q= ` +
      'r=GET /missing?q=1 HTTP/1.1 R=- s=404 >s=404 T=0 Tms=0 Tus=805 u=- U=/missing >U=/err.txt v=main.test V=host.test X=+',
  )
})

const ROWS: readonly (readonly [format: string, transaction: Transaction, expected: string])[] = [
  ['%<f %>f', missing, '/srv/gw/htdocs/missing /srv/gw/htdocs/err.txt'],
  ['%<q', missing, '?q=1'],
  ['%200s %!200s %404,200s %404,403U %!404,403U %!!200s', missing, '- 404 404 /missing - -'],
  ['%200s %!200s', of(requestWith()), '200 -'],
  ['a%200sb', missing, 'a-b'],
  ['%b %B', of(requestWith(), { bodyBytesSent: 0 }), '- 0'],
  ['%u', of(requestWith({ user: '' })), '""'],
  ['%u', of(requestWith({ user: 'a"b\u0001' })), 'a\\"b\\x01'],
  ['%r', of(requestWith({ requestLine: '' })), '-'],
  ['%r', of(requestWith({ requestLine: 'GET http://u:p@h.test/a?x HTTP/1.1' })), 'GET http://u:XXXXXXXX@h.test/a?x HTTP/1.1'],
  ['%r', of(requestWith({ requestLine: 'GET http://u:p@q@h.test/ HTTP/1.1' })), 'GET http://u:XXXXXXXX@h.test/ HTTP/1.1'],
  ['%r', of(requestWith({ requestLine: 'GET http://u@h.test/a HTTP/1.1' })), 'GET http://u@h.test/a HTTP/1.1'],
  ['%r', of(requestWith({ requestLine: 'GET /a:b@c HTTP/1.1' })), 'GET /a:b@c HTTP/1.1'],
  ['%r', of(requestWith({ requestLine: 'GET /a%22b"c\u0080\u00e9 HTTP/1.1' })), 'GET /a%22b\\"c\\x80\\xe9 HTTP/1.1'],
  ['%U', of(requestWith({ uri: '/a"b\nc\u00e9' })), '/a\\"b\\nc\\xe9'],
  ['%f', of(requestWith({ filename: '' })), '-'],
  ['%R', of(requestWith({ handler: 'server-status' })), 'server-status'],
  ['%{c}a %a %{x}a', of(requestWith({ useragentAddress: '203.0.113.7' })), '192.0.2.7 203.0.113.7 203.0.113.7'],
  ['%A', of(requestWith()), '192.0.2.1'],
  ['%p %{canonical}p %{LOCAL}p %{remote}p %{bogus}p', of(requestWith()), '80 80 8080 40001 bogus'],
  ['%p', of(requestWith({ server: serverWith({ serverPort: 8300 }) })), '8300'],
  ['%p', of(requestWith({ server: serverWith({}), scheme: 'https' })), '443'],
  ['%{pid}P %{tid}P %{hextid}P %{bogus}P', of(requestWith()), `${pid} ${pid} ${pid.toString(16)} bogus`],
  ['%T %{ms}T %{us}T %{s}T %{MS}T %{}T %{bogus}T %D', of(requestWith()), '1 1234 1234567 1 1234 1 bogus 1234567'],
  ['%X', of(requestWith(), { keptAlive: false }), '-'],
  ['%X', of(requestWith({ connection: connectionWith({ aborted: true }) })), 'X'],
  ['%k', of(requestWith({ connection: connectionWith({ keepalives: 2 }) })), '2'],
  ['%k', of(requestWith({ connection: connectionWith({ keepalives: 2 }) }), { keptAlive: false }), '1'],
  ['%k', of(requestWith(), { keptAlive: false }), '0'],
  ['%L %{c}L', of(requestWith()), '- -'],
  ['%L %{c}L', of(requestWith(), { logId: 'vWS57rKxswc', connectionLogId: '4vvFRw0FZ+s' }), 'vWS57rKxswc 4vvFRw0FZ+s'],
  ['%{N}n %{none}n', of(requestWith({ notes: tableOf({ n: 'note' }) })), 'note -'],
  ['%{A}e %{none}e %e', of(requestWith({ env: tableOf({ A: 'va"l', B: '' }) })), 'va\\"l - -'],
  ['%{B}e|', of(requestWith({ env: tableOf({ B: '' }) })), '|'],
  ['%{Referer}i %{none}i %i', of(requestWith({ headersIn: fieldsOf({ Referer: 'http://r/\t' }) })), 'http://r/\\t - -'],
  ['%{T}^ti %{T}^to', of(requestWith(), { requestTrailer: (name) => `in ${name}`, responseTrailer: () => undefined }), 'in T -'],
  ['%% x', of(requestWith()), '% x'],
]

for (const [format, transaction, expected] of ROWS) {
  t.test(`${format} is ${expected}`, async (t) => {
    t.equal(line(format, transaction), expected)
  })
}

t.test("%h is the client's name if it is known, and the peer keeps its own", async (t) => {
  const named = builtInItems({ knownRemoteHost: () => 'client.test' })
  t.equal(line('%h %{c}h', of(requestWith()), named), 'client.test client.test')
  t.equal(line('%h %{c}h', of(requestWith({ useragentAddress: '203.0.113.7' })), named), 'client.test 192.0.2.7')
})

const fields: Readonly<Record<string, readonly string[]>> = { 'x-m': ['one', 'two'], 'set-cookie': ['a=1', 'b=2'], etag: ['"6"'] }
const answered = of(requestWith({ contentType: 'text/html ; charset=utf-8' }), {
  responseHeader: (name) => fields[name.toLowerCase()] ?? [],
})

const SENT: readonly (readonly [format: string, expected: string])[] = [
  ['%{X-M}o', 'one'],
  ['%{Set-Cookie}o', 'a=1, b=2'],
  ['%{ETag}o', '\\"6\\"'],
  ['%{Content-Type}o', 'text/html'],
  ['%{Date}o', '-'],
]

for (const [format, expected] of SENT) {
  t.test(`${format} of a response is ${expected}`, async (t) => {
    t.equal(line(format, answered), expected)
  })
}

t.test('a response header of the original request is the one that this request had set', async (t) => {
  const first = requestWith({ headersOut: tableOf({ 'X-A': 'first' }), errHeadersOut: tableOf({ 'X-B': 'always' }) })
  const transaction = fakeTransaction({ original: first, final: requestWith(), responseHeader: () => ['sent'] })
  t.equal(line('%<{X-A}o %<{X-B}o %{X-A}o', transaction), 'first always sent')
})

const COOKIES: readonly (readonly [header: string, name: string, expected: string])[] = [
  ['sid=ab=c; x y=2;;foo', 'sid', 'ab=c'],
  ['sid=ab=c; x y=2;;foo', 'SID', 'ab=c'],
  ['sid=ab=c; x y=2;;foo', 'x y', '2'],
  ['sid=ab=c; x y=2;;foo', 'foo', '-'],
  ['SID = "q v" ; x', 'sid', '\\"q v\\"'],
  ['x=1;sid=2;sid=3', 'sid', '2'],
  ['sid=', 'sid', '-'],
  ['sid= ; x=1', 'sid', ''],
  ['asid=1', 'sid', '-'],
]

for (const [header, name, expected] of COOKIES) {
  t.test(`%{${name}}C of "${header}" is ${expected}`, async (t) => {
    t.equal(line(`%{${name}}C`, of(requestWith({ headersIn: fieldsOf({ Cookie: header }) }))), expected)
  })
}

t.test('%t is the beginning or the end, in any format', async (t) => {
  // 21 November 2026, 05:50:05.313213 UTC. Formats in whole seconds are compared with their own definition,
  // in the time zone of the test.
  const transaction = of(requestWith())
  const clf = /^\[\d\d\/Nov\/2026:\d\d:\d\d:05 [+-]\d{4}\]$/
  t.match(line('%t', transaction), clf)
  t.equal(line('%{begin}t %{begin:}t %{}t', transaction), Array(3).fill(line('%t', transaction)).join(' '))
  t.match(line('%{end}t', transaction), /:06 /)
  t.equal(line('%{sec}t %{msec}t %{usec}t', transaction), '1795240205 1795240205313 1795240205313213')
  t.equal(line('%{msec_frac}t %{usec_frac}t', transaction), '313 313213')
  t.equal(line('%{end:sec}t %{end:usec}t %{end:msec_frac}t', transaction), '1795240206 1795240206547780 547')
  t.equal(line('%{bogus}t %{end:bogus}t %{beginx}t %{SEC}t', transaction), 'bogus bogus beginx SEC')
  t.equal(line('%{%Y}t %{begin:%b}t %{end:%Y-%m}t', transaction), '2026 Nov 2026-11')
  t.equal(line('%{usec_frac}t', of(requestWith({ receivedAt: 1_795_240_205_000.007 }))), '000007')
})

t.test('an undefined item is an error', async (t) => {
  const parts = parseFormat('%^XX', () => true)
  if ('error' in parts) throw new Error(parts.error)
  t.equal(compileFormat(parts, items), 'Unrecognized LogFormat directive %^')
})
