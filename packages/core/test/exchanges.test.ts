import { setImmediate as turn } from 'node:timers/promises'
import { DECLINED, type StreamBody, transactionOf } from '@gatewright/api'
import { rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { CollectedExchange, type SentRequest } from './support/collected-exchange.ts'
import { moduleOf, openModule } from './support/modules.ts'

const LARGE = 'abcdefghij'.repeat(20_000)

/** A stream that counts how often it was ended before its last chunk. */
class Backend implements StreamBody {
  readonly contentLength?: number
  readonly #chunks: readonly string[]
  readonly #silent: boolean
  ends = 0
  asked = 0

  constructor(chunks: readonly string[], options: { readonly length?: number; readonly silent?: boolean } = {}) {
    this.#chunks = chunks
    this.contentLength = options.length
    this.#silent = options.silent === true
  }

  trailers(): Iterable<readonly [string, string]> {
    this.asked++
    return [
      ['Grpc-Status', '0'],
      ['Content-Length', '99'],
    ]
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    let next = 0
    return {
      next: () => {
        if (next < this.#chunks.length) return Promise.resolve({ done: false, value: this.#chunks[next++] })
        return this.#silent ? new Promise(() => undefined) : Promise.resolve({ done: true, value: undefined })
      },
      return: () => {
        this.ends++
        return Promise.resolve({ done: true, value: undefined })
      },
    }
  }
}

interface Serving {
  readonly server: TestServer
  readonly logged: string[]
  /** The trailer Grpc-Status of each response as access logs see it. */
  readonly trailers: (string | undefined)[]
  backend: Backend
}

async function serving(t: Test): Promise<Serving> {
  const logged: string[] = []
  const trailers: (string | undefined)[] = []
  const all: { backend: Backend } = { backend: new Backend([]) }
  const streams = moduleOf('streams', ({ hooks, functions }) => {
    hooks.handler.add((request) => (request.uri === '/stream' ? request.send('text/plain', all.backend) : DECLINED))
    hooks.logTransaction.add((request) => {
      logged.push(`${request.uri} ${request.status}`)
      trailers.push(functions.get(transactionOf)?.(request).responseTrailer('grpc-status'))
    })
  })
  const files = { 'docs/small.txt': 'a small file', 'docs/large.bin': LARGE }
  const server = await site({ modules: [openModule, streams], files })
  t.teardown(() => server.close())
  return Object.assign(all, { server, logged, trailers })
}

async function answer({ worker }: TestServer, request: SentRequest): Promise<CollectedExchange> {
  const exchange = new CollectedExchange(request)
  worker.serve(exchange)
  await exchange.ended
  return exchange
}

t.test('a request of another protocol gets a file, a range, an error page, HEAD and 304 as values', async (t) => {
  const { server, logged } = await serving(t)
  const small = await answer(server, { target: '/small.txt' })
  t.match(small, { status: 200, reason: 'OK', body: 'a small file' })
  t.equal(small.responseFields.get('Content-Length'), '12')
  t.notOk([...small.responseFields.keys()].some((name) => /^(Connection|Keep-Alive|Transfer-Encoding)$/i.test(name)))

  const large = await answer(server, { target: '/large.bin' })
  t.equal(large.body, LARGE)
  const range = await answer(server, { target: '/large.bin', fields: { Range: 'bytes=10-14' } })
  t.match(range, { status: 206, body: 'abcde' })
  t.equal(range.responseFields.get('Content-Range'), `bytes 10-14/${LARGE.length}`)
  const ranges = await answer(server, { target: '/small.txt', fields: { Range: 'bytes=0-0,-1' } })
  t.match(ranges.responseFields.get('Content-Type'), /^multipart\/byteranges; boundary=/)
  t.equal(ranges.responseFields.get('Content-Length'), String(ranges.body.length))
  const none = await answer(server, { target: '/small.txt', fields: { Range: 'bytes=99-' } })
  t.match(none, { status: 416, body: /416/ })

  const missing = await answer(server, { target: '/missing' })
  t.match(missing, { status: 404, reason: 'Not Found', body: /404 Not Found/ })
  const head = await answer(server, { method: 'HEAD', target: '/large.bin' })
  t.match(head, { status: 200, body: '' })
  t.equal(head.responseFields.get('Content-Length'), String(LARGE.length))
  const fields = { 'If-None-Match': small.responseFields.get('ETag') ?? '' }
  const unchanged = await answer(server, { target: '/small.txt', fields })
  t.match(unchanged, { status: 304, body: '' })
  t.notOk(unchanged.responseFields.has('Content-Length'))
  t.equal(logged.length, 8, 'each request is logged once')
})

t.test('a stream has its trailers sent to a client that takes them, apart from fields that frame the message', async (t) => {
  const all = await serving(t)
  all.backend = new Backend(['one ', 'two'])
  const taken = await answer(all.server, { target: '/stream', takesTrailers: true, chunksBeforeWaiting: 9 })
  t.match(taken, { status: 200, body: 'one two', sentTrailers: [['Grpc-Status', '0']] })
  t.equal(taken.sentTrailers.length, 1)
  all.backend = new Backend(['one'])
  t.same((await answer(all.server, { target: '/stream' })).sentTrailers, [])
  t.equal(all.backend.asked, 0, 'trailers that the client does not accept are not requested')
  t.same(all.trailers, ['0', undefined], 'access logs see the trailers that were sent')
})

t.test('a stream sends its trailers although another response was sent before its end', async (t) => {
  const all = await serving(t)
  all.backend = new Backend(['one'])
  const exchange = new CollectedExchange({ target: '/stream', takesTrailers: true })
  all.server.worker.serve(exchange)
  all.server.worker.serve(new CollectedExchange({ target: '/small.txt' }))
  await exchange.ended
  t.match(exchange, { status: 200, body: 'one', sentTrailers: [['Grpc-Status', '0']] })
})

t.test('HTTP/1.1 sends trailers after a chunked body to clients that send TE: trailers, and to no others', async (t) => {
  const all = await serving(t)
  const port = await all.server.listen()
  const request = (version: string, fields: string): Promise<string> => {
    all.backend = new Backend(['one'])
    return rawExchange(port, `GET /stream HTTP/${version}\r\nHost: a\r\n${fields}Connection: close\r\n\r\n`)
  }
  t.match(await request('1.1', 'TE: trailers\r\n'), /chunked\r\n[\s\S]*\r\n\r\n3\r\none\r\n0\r\nGrpc-Status: 0\r\n\r\n$/)
  t.match(await request('1.1', ''), /\r\n\r\n3\r\none\r\n0\r\n\r\n$/)
  t.match(await request('1.0', 'TE: trailers\r\n'), /\r\n\r\none$/)
})

t.test('a stream with a stated length is sent with it, without trailers', async (t) => {
  const all = await serving(t)
  const port = await all.server.listen()
  const request = (): Promise<string> =>
    rawExchange(port, 'GET /stream HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: close\r\n\r\n')
  all.backend = new Backend(['one', 'two'], { length: 6 })
  const whole = await request()
  t.match(whole, /\r\nContent-Length: 6\r\n[\s\S]*\r\n\r\nonetwo$/)
  t.notMatch(whole, /chunked/)
  all.backend = new Backend(['one', 'two', 'three'], { length: 7 })
  t.match(await request(), /\r\n\r\nonetwo$/, 'bytes beyond the length are not sent')
  t.equal(all.backend.ends, 1)
  all.backend = new Backend(['one'], { length: 7 })
  const short = await answer(all.server, { target: '/stream' })
  t.match(short, { brokenOff: true, answered: false, body: 'one' })
  t.match(all.server.errors().join('\n'), /the stream ended after 3 of 7 bytes/)
})

t.test('when the client goes, a stream is ended once: while it is silent, and while the client makes it wait', async (t) => {
  const all = await serving(t)
  for (const [options, request] of [
    [{ silent: true }, {}],
    [{}, { chunksBeforeWaiting: 1 }],
  ] as const) {
    all.backend = new Backend(['one', 'two', 'three'], options)
    const exchange = new CollectedExchange({ target: '/stream', takesTrailers: true, ...request })
    all.server.worker.serve(exchange)
    for (let turns = 0; turns < 10; turns++) await turn()
    t.notOk(exchange.answered)
    exchange.leave()
    await exchange.ended
    t.equal(all.backend.ends, 1)
    t.same(exchange.sentTrailers, [])
  }
  t.same(all.logged, ['/stream 200', '/stream 200'])
  all.backend = new Backend(['one'])
  await answer(all.server, { method: 'HEAD', target: '/stream' })
  t.equal(all.backend.ends, 1, 'the stream of a response to HEAD is not read')
})

t.test('a request of a connection that a module refused is not served', async (t) => {
  const logged: string[] = []
  const refusing = moduleOf('refusing', ({ hooks }) => {
    hooks.preConnection.add(() => {
      throw new Error('no')
    })
    hooks.logTransaction.add((request) => void logged.push(request.uri))
  })
  const server = await site({ modules: [openModule, refusing], files: { 'docs/small.txt': 'a small file' } })
  t.teardown(() => server.close())
  const exchange = new CollectedExchange({ target: '/small.txt' })
  server.worker.serve(exchange)
  await turn()
  t.equal(exchange.connection.data === null, false)
  t.equal(exchange.body, '')
  t.strictSame(logged, [])
})
