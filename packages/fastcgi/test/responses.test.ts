import { type AddressInfo, createServer, type Socket } from 'node:net'
import t from 'tap'
import { CgiHeadReader, decodeNameValues, nameValuesText } from '../src/index.ts'
import { RECORD, RecordReader, recordText } from '../src/record.ts'
import { Collected, fastcgiRequest, poolOf, start } from './collected.ts'

const text = (value: string): Buffer => Buffer.from(value, 'latin1')
const record = (type: number, content: string, id = 1): Buffer => text(recordText(type, id, content))
const out = (value: string): Buffer => record(RECORD.stdout, value)
const err = (value: string): Buffer => record(RECORD.stderr, value)
const over = (app = 0, protocol = 0): Buffer => record(RECORD.endRequest, String.fromCharCode(0, 0, 0, app, protocol, 0, 0, 0))

/** A record with padding. */
function padded(type: number, content: string, padding: number): Buffer {
  const bytes = Buffer.concat([record(type, content), Buffer.alloc(padding, 'P')])
  bytes[6] = padding
  return bytes
}

interface Row {
  readonly name: string
  readonly sent: readonly Buffer[]
  readonly expected: Record<string, unknown>
}

const ROWS: readonly Row[] = [
  {
    name: 'a head with CR LF and a body',
    sent: [out('Status: 404 Not Here\r\nX-A: b\r\nX-A: c\r\n\r\nbody'), out(' more'), out(''), over(3)],
    expected: {
      status: 404,
      reason: 'Not Here',
      fields: [
        ['Status', '404 Not Here'],
        ['X-A', 'b'],
        ['X-A', 'c'],
      ],
      body: 'body more',
      exitStatus: 3,
    },
  },
  {
    name: 'a head with LF',
    sent: [out('X-A: b\n\nbody'), over()],
    expected: { status: 200, reason: null, fields: [['X-A', 'b']], body: 'body' },
  },
  {
    name: 'a head in several records, with padding',
    sent: [padded(RECORD.stdout, 'X-', 3), padded(RECORD.stdout, 'A: b\r', 255), out('\n\r'), out('\nx'), over()],
    expected: { fields: [['X-A', 'b']], body: 'x' },
  },
  {
    name: 'an empty line first',
    sent: [out('\r\nbody'), out(''), over()],
    expected: { status: 200, body: '\r\nbody', fields: [] },
  },
  {
    name: 'no head before the end of the output',
    sent: [out('just text\nX: y\n'), out(''), over()],
    expected: { status: 200, fields: [], body: 'just text\nX: y\n' },
  },
  {
    name: 'no head before the end of the request',
    sent: [out('just text\nX: y\n'), over()],
    expected: { status: 200, fields: [], body: '' },
  },
  { name: 'nothing at all', sent: [over()], expected: { status: 200, body: '', exitStatus: 0 } },
  {
    name: 'a status that is none',
    sent: [out('Status: abc\r\n\r\nx'), over()],
    expected: { status: 0, invalidStatus: 'abc', body: 'x' },
  },
  {
    name: 'a status with a text that follows it at once',
    sent: [out('Status: 404Gone\r\n\r\nx'), over()],
    expected: { status: 404, reason: '', invalidStatus: null },
  },
  {
    name: 'a line that begins with a blank continues none',
    sent: [out('A: b\r\n c\r\n\r\nx'), over()],
    expected: { error: 'field-line' },
  },
  { name: 'a status without a reason', sent: [out('Status: 418\r\n\r\nx'), over()], expected: { status: 418, reason: '' } },
  {
    name: 'errors come by record',
    sent: [err('one'), err('two\nthree'), out('\n'), err(''), over()],
    expected: { stderr: ['one', 'two\nthree'] },
  },
  {
    name: 'a line without a colon',
    sent: [out('no colon\r\n\r\nx'), over()],
    expected: { error: 'field-line', detail: 'x' },
  },
  {
    name: 'a field of which a carriage return would make two',
    sent: [out('Location: /x\rSet-Cookie: evil\r\n\r\n'), over()],
    expected: { error: 'field-value' },
  },
  { name: 'a NUL in the head', sent: [out('X: a\0b\r\n\r\n'), over()], expected: { error: 'nul' } },
  { name: 'an overloaded responder', sent: [over(0, 2)], expected: { error: 'overloaded' } },
  { name: 'a responder that serves one at a time', sent: [over(0, 1)], expected: { error: 'cant-multiplex' } },
  { name: 'another role', sent: [over(0, 3)], expected: { error: 'unknown-role' } },
  { name: 'an unknown protocol status', sent: [over(0, 9)], expected: { error: 'protocol' } },
  { name: 'another version', sent: [text('HTTP/1.1 400 Bad Request\r\n\r\n')], expected: { error: 'protocol' } },
  { name: 'the end of the connection before anything', sent: [], expected: { error: 'closed-early' } },
  { name: 'the end of the connection in the head', sent: [out('X: y\r\n')], expected: { error: 'closed-in-head' } },
  {
    name: 'the end of the connection in the body',
    sent: [out('X: y\r\n\r\nabc')],
    expected: { error: 'truncated', body: 'abc' },
  },
  {
    name: 'records of other requests are none of it',
    sent: [record(RECORD.stdout, 'evil', 2), out('A: b\n\nx'), record(RECORD.endRequest, '\0'.repeat(8), 2), over()],
    expected: { body: 'x' },
  },
]

t.test('responses have the same result wherever they are cut', async (t) => {
  const server = createServer((socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  const pool = poolOf({ host: '127.0.0.1', port: address.port }, { reuse: false })
  t.teardown(() => {
    pool.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  async function feed(parts: readonly Buffer[]): Promise<object> {
    const collected = start(pool, fastcgiRequest(), new Collected())
    while (collected.exchange === null) await new Promise((resolve) => setImmediate(resolve))
    for (const part of parts) {
      if (collected.exchange.ended) break
      // The owner of a chunk reuses it.
      const lent = Buffer.from(part)
      collected.exchange.onBytes(lent, lent.length)
      lent.fill(0x21)
    }
    collected.exchange.onEnd()
    return collected.result
  }

  let cuts = 0
  for (const { name, sent, expected } of ROWS) {
    const bytes = Buffer.concat(sent)
    const whole = await feed([bytes])
    t.match(whole, expected, name)
    for (let at = 1; at < bytes.length; at++) {
      cuts++
      if (!t.same(await feed([bytes.subarray(0, at), bytes.subarray(at)]), whole, `${name}, cut at ${at}`)) return
    }
    t.same(await feed([...bytes].map((byte) => Buffer.from([byte]))), whole, `${name}, byte by byte`)
  }
  t.ok(cuts > 500)
})

t.test('a line of up to 8191 bytes is a field, and a longer one is refused', (t) => {
  for (const [length, status] of [
    [8191, 'complete'],
    [8192, 'refused'],
  ] as const) {
    const reader = new CgiHeadReader()
    const head = text(`X: y\r\nA: ${'b'.repeat(length - 5)}\r\n\r\n`)
    t.equal(reader.read(head, 0, head.length), status)
    t.equal(reader.fields.get('x'), 'y')
  }
  t.end()
})

t.test('a head that never ends is refused', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(out('X: y\r\n'.repeat(1000)))) {}
      }
      socket.on('drain', more)
      more()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  const pool = poolOf({ host: '127.0.0.1', port: address.port })
  const collected = await start(pool, fastcgiRequest()).done
  t.equal(collected.error?.code, 'head-size')
  t.equal(pool.figures.open, 0)
  pool.close()
  server.close()
})

t.test('names and values of any size are read as they were written', (t) => {
  const pairs: [string, string][] = [
    ['A', ''],
    ['', 'x'],
    ['N'.repeat(127), 'v'.repeat(128)],
    ['M'.repeat(128), 'v'.repeat(70_000)],
    ['\xe9', '\xff\0'],
  ]
  const bytes = text(nameValuesText(pairs))
  t.same(decodeNameValues(bytes), pairs)
  for (let end = 1; end < 400; end++) {
    const decoded = decodeNameValues(bytes.subarray(0, end))
    t.ok(decoded === null || decoded.length < pairs.length, `cut at ${end}`)
  }
  t.end()
})

t.test('a request arrives as records that any reader understands', async (t) => {
  const params: [string, string][] = [
    ['SCRIPT_FILENAME', '/x.php'],
    ['LONG', 'x'.repeat(200_000)],
  ]
  const body = Buffer.alloc(200_000, 'b')
  const got = { params: '', stdin: 0, wrong: 0, begins: 0, flags: -1 }
  const server = createServer((socket) => {
    const reader = new RecordReader()
    let ends = 0
    let size = 0
    const sink = {
      content(type: number, _id: number, bytes: Buffer, start: number, count: number) {
        size += count
        if (type === RECORD.params) got.params += bytes.toString('latin1', start, start + count)
        if (type === RECORD.stdin) {
          got.stdin += count
          for (let i = start; i < start + count; i++) if (bytes[i] !== 98) got.wrong++
        }
        if (type === RECORD.beginRequest) got.flags = bytes[start + 2]
      },
      end(type: number) {
        if (type === RECORD.beginRequest) got.begins++
        if (size === 0 && ++ends === 2) socket.write(Buffer.concat([out('A: b\n\nok'), over()]))
        size = 0
      },
    }
    socket.on('error', () => {})
    socket.on('data', (chunk) => reader.read(chunk, chunk.length, sink))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  const pool = poolOf({ host: '127.0.0.1', port: address.port })
  t.equal((await start(pool, fastcgiRequest({ params, body })).done).body, 'ok')
  t.same(decodeNameValues(text(got.params)), params)
  t.match(got, { stdin: 200_000, wrong: 0, begins: 1, flags: 1 })
  t.match(pool.figures, { idle: 1 })
  pool.close()
  server.close()
})
