/** Requests with two readings, before backends of other protocols than HTTP: none arrives twice, or with another length. */
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { CHUNKS } from './smuggling/chunks.ts'
import { HEADS } from './smuggling/heads.ts'
import { LENGTHS } from './smuggling/lengths.ts'
import { talk } from './smuggling/talk.ts'
import { BACK_END_PROTOCOLS, type BackEndProtocol, type ReadRequest } from './smuggling-backends/protocols.ts'

const SHAPES = [...LENGTHS, ...CHUNKS, ...HEADS]

/** A backend that reads strictly, and keeps what it has read. */
class StrictBackEnd {
  readonly requests: ReadRequest[] = []
  /** Bytes that are no request, and those after a request that ends its connection. */
  readonly faults: string[] = []
  readonly #protocol: BackEndProtocol
  readonly #sockets = new Set<Socket>()

  constructor(protocol: BackEndProtocol) {
    this.#protocol = protocol
  }

  async start(t: Test): Promise<number> {
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      for (const socket of this.#sockets) socket.destroy()
      server.close()
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return address.port
  }

  #serve(socket: Socket): void {
    const read = this.#protocol.reader()
    let bytes = Buffer.alloc(0)
    let isOver = false
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('end', () => socket.end())
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      while (bytes.length > 0) {
        const reading = isOver ? { kind: 'malformed' as const } : read(bytes)
        if (reading.kind === 'malformed') {
          this.faults.push(bytes.toString('latin1'))
          socket.destroy()
          return
        }
        if (reading.reply !== undefined) socket.write(reading.reply)
        if (reading.kind === 'request') this.requests.push(reading.request)
        if (reading.used === undefined) return
        bytes = bytes.subarray(reading.used)
        if (reading.kind !== 'request' || this.#protocol.isKept) continue
        isOver = true
        socket.end()
      }
    })
  }
}

for (const protocol of BACK_END_PROTOCOLS) {
  t.test(
    `a request with two readings reaches a backend of ${protocol.scheme} once and with its length, or not at all`,
    async (t) => {
      const backEnd = new StrictBackEnd(protocol)
      const port = await backEnd.start(t)
      const server = await StagedServer.make(t)
      server.configure(
        ...['authz_core', 'proxy', `proxy_${protocol.scheme}`].map(
          (name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`,
        ),
        'TraceEnable Off',
        `ProxyPass "/" "${protocol.scheme}://127.0.0.1:${port}/" retry=0`,
      )
      await server.start()
      let answers = 0
      let expected = 0
      for (const { bytes, answers: read } of SHAPES) {
        answers += (await talk('127.0.0.1', server.port, bytes)).length
        expected += read.filter((answer) => answer.includes('/smuggled')).length
      }
      t.strictSame(backEnd.faults, [], 'all bytes are requests')
      t.strictSame(
        backEnd.requests.filter(({ declared, length }) => declared !== null && declared !== length),
        [],
        'no length differs from that of the body',
      )
      const smuggled = backEnd.requests.filter(({ target }) => target.includes('/smuggled')).length
      t.ok(smuggled <= expected, `${smuggled} hidden requests of ${expected} that are requests by RFC 9112`)
      t.ok(backEnd.requests.length <= answers, `${backEnd.requests.length} requests for ${answers} answers`)
      t.ok(backEnd.requests.filter(({ target }) => target.includes('/last')).length > 10, 'many requests arrived')
      t.ok(
        backEnd.requests.some(({ length }) => length > 0),
        'bodies arrived',
      )
    },
  )
}
