import { seededNumbers } from '@gatewright/testing'
import t from 'tap'
import { readAddresses } from '../src/addresses.ts'
import { readDuration } from '../src/duration.ts'
import { encodeCommand, RespParser, type RespReply, ServerError } from '../src/index.ts'

const REPLIES: readonly (readonly [string, RespReply])[] = [
  ['+OK\r\n', 'OK'],
  ['-ERR wrong\r\n', new ServerError('ERR wrong')],
  [':-42\r\n', -42],
  ['$5\r\na\r\nbc\r\n', Buffer.from('a\r\nbc').subarray(0, 5)],
  ['$0\r\n\r\n', Buffer.alloc(0)],
  ['$-1\r\n', null],
  ['*-1\r\n', null],
  ['*2\r\n:1\r\n*1\r\n+x\r\n', [1, ['x']]],
]

t.test('replies of Redis are read, however they arrive', async (t) => {
  const bytes = Buffer.from(REPLIES.map(([text]) => text).join(''), 'latin1')
  const expected = REPLIES.map(([, reply]) => reply)
  for (let size = 1; size <= bytes.length; size++) {
    const parser = new RespParser()
    const replies: RespReply[] = []
    for (let at = 0; at < bytes.length; at += size) replies.push(...parser.push(bytes.subarray(at, at + size)))
    t.same(replies, expected, `in parts of ${size} bytes`)
  }
})

t.test('bytes that are no reply of Redis are an error, and never anything else', async (t) => {
  const texts = ['HTTP/1.1 200 OK\r\n', '$x\r\n', '*99999999\r\n', '$99999999999\r\n', ':\r\n', '*1\r\n'.repeat(20)]
  for (const text of texts) t.throws(() => new RespParser().push(Buffer.from(text)), Error, text.slice(0, 20))
  const random = seededNumbers(21)
  for (let round = 0; round < 2_000; round++) {
    const bytes = Buffer.from(Array.from({ length: 40 }, () => random(256)))
    try {
      new RespParser().push(bytes)
    } catch (error) {
      if (!(error instanceof Error) || error instanceof TypeError) t.fail(`round ${round}`)
    }
  }
})

t.test('commands are lists of texts with their lengths in bytes', async (t) => {
  const command = encodeCommand(['SET', 'k\u00e4', Buffer.from([0, 13, 10])])
  t.equal(Buffer.from(command).toString('latin1'), '*3\r\n$3\r\nSET\r\n$3\r\nk\u00c3\u00a4\r\n$3\r\n\0\r\n\r\n')
})

t.test('addresses have a port or the usual one, and IPv6 stands in brackets', async (t) => {
  t.strictSame(readAddresses('db, 127.0.0.1:7,[::1]:8 unix:/run/x.sock', 6379), [
    { host: 'db', port: 6379 },
    { host: '127.0.0.1', port: 7 },
    { host: '::1', port: 8 },
    { path: '/run/x.sock' },
  ])
  t.strictSame(readAddresses('', 1), [])
  for (const wrong of ['db:', ':1', 'db:0', 'db:65536', '::1', '[::1', 'unix:', 'db:x']) {
    t.type(readAddresses(wrong, 1), 'string', wrong)
  }
})

t.test('times have the units of httpd', async (t) => {
  const rows: [string, number | undefined][] = [
    ['5', 5_000],
    ['5s', 5_000],
    ['5ms', 5],
    ['2min', 120_000],
    ['1h', 3_600_000],
    ['x', undefined],
    ['5 s', undefined],
    ['5d', undefined],
    ['', undefined],
    ['-1', undefined],
  ]
  for (const [text, milliseconds] of rows) t.equal(readDuration(text), milliseconds, text)
})
