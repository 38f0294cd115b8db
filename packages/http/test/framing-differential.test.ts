import http from 'node:http'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import t from 'tap'
import { converse, type Handler, respond, sleep } from './harness.ts'

/**
 * The same bytes for this engine and for Node's own parser. Either may refuse what the other takes; what both take must be the same
 * requests with the same bodies, or somebody between client and server could be told another story.
 */
const mostly = (usual: fc.Arbitrary<string>, rare: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: rare })
const line = mostly(fc.constantFrom('GET /a', 'POST /b', 'PUT /c?d', 'OPTIONS *'), fc.constantFrom('GET  /x', 'G@T /'))
const version = mostly(fc.constant('HTTP/1.1'), fc.constantFrom('HTTP/1.0', 'HTTP/1.1 ', 'http/1.1', ''))
const lineEnd = mostly(fc.constant('\r\n'), fc.constantFrom('\n', '\r', '\r\r\n'))
const field = fc.constantFrom(
  'X-A: 1',
  'X-A:',
  ' folded',
  'X-B: a\r\n b',
  'Connection: keep-alive',
  'Content-Length: 3',
  'Content-Length: 0',
  'Content-Length: 03',
  'Content-Length: +3',
  'Content-Length: 3, 3',
  'Content-Length : 3',
  'Content-Length:\t3 ',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: Chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding\x00: chunked',
  'Bad name: 1',
  'X: \x01',
)
const body = fc.constantFrom(
  '',
  'abc',
  'abcdef',
  '0\r\n\r\n',
  '3\r\nabc\r\n0\r\n\r\n',
  '3\nabc\n0\n\n',
  '3;x\r\nabc\r\n0\r\nT: v\r\n\r\n',
  '0x3\r\nabc\r\n0\r\n\r\n',
  '3 \r\nabc\r\n0\r\n\r\n',
  '+3\r\nabc\r\n0\r\n\r\n',
  '3\r\nabcd\r\n0\r\n\r\n',
  'fffffffffffffffff\r\nabc',
  'GET /inner HTTP/1.1\r\nHost: i\r\n\r\n',
)
const sound = fc.constantFrom(
  'GET /sound HTTP/1.1\r\nHost: h\r\n\r\n',
  'POST /sound HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc',
  'PUT /sound HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nT: v\r\n\r\n',
)
const odd = fc
  .tuple(line, version, fc.array(fc.tuple(field, lineEnd), { maxLength: 3 }), lineEnd, lineEnd, body)
  .map(([start, protocol, fields, end, last, content]) => {
    const lines = fields.map(([text, ending]) => text + ending).join('')
    return `${start} ${protocol}${end}Host: h\r\n${lines}${last}${content}`
  })
const stream = fc.array(fc.oneof(sound, odd), { minLength: 1, maxLength: 4 }).map((messages) => messages.join(''))

t.test('no stream of bytes is framed in another way than Node frames it', async (t) => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(stream, async (bytes) => {
      const ours = readHere(bytes)
      const theirs = await readByNode(bytes)
      const common = Math.min(ours.length, theirs.length)
      compared += common
      const same = JSON.stringify(ours.slice(0, common)) === JSON.stringify(theirs.slice(0, common))
      if (!same) throw new Error(`ours ${JSON.stringify(ours)}, Node's ${JSON.stringify(theirs)}`)
    }),
    { numRuns: 600, seed: 20261121 },
  )
  t.ok(compared > 200, `${compared} requests were taken by both`)
})

/** Method, target and body of every request that was read to its end. */
function readHere(bytes: string): string[][] {
  const requests: string[][] = []
  const handler: Handler = (exchange) => {
    if (exchange.refusal !== null) {
      respond(exchange, exchange.refusal.status, '', false)
      return
    }
    const chunks: Buffer[] = []
    exchange.readBody({
      onData(chunk) {
        chunks.push(chunk)
      },
      onEnd() {
        requests.push([exchange.method, exchange.target, Buffer.concat(chunks).toString('latin1')])
        respond(exchange, 200, '', exchange.persistencePossible)
      },
      onError(refusal) {
        respond(exchange, refusal.status, '', false)
      },
    })
  }
  converse(bytes, {}, handler)
  return requests
}

async function readByNode(bytes: string): Promise<string[][]> {
  const requests: string[][] = []
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push([request.method ?? '', request.url ?? '', Buffer.concat(chunks).toString('latin1')])
      response.end()
    })
    request.on('error', () => {})
  })
  const socket = new Duplex({
    read() {},
    write(_chunk, _encoding, done) {
      done()
    },
  })
  socket.on('error', () => {})
  // Requests before the fault are to be seen to their end.
  server.on('clientError', () => {})
  server.emit('connection', socket)
  socket.push(Buffer.from(bytes, 'latin1'))
  for (let before = -1; before !== requests.length; ) {
    before = requests.length
    await sleep(2)
  }
  socket.destroy()
  return requests
}
