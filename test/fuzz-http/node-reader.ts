import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import { joined, type Reading } from './reading.ts'
import { piecesOf } from './stream.ts'
import type { Strictness } from './strictness.ts'

interface Request {
  readonly incoming: IncomingMessage
  readonly persistent: boolean
  end: number
}

/** Reads streams with llhttp, through a `node:http` server whose connections are in memory. */
export class NodeReader {
  readonly #server: Server
  readonly #strictness: Strictness
  /** Connections whose first turn of the loop is over: from then on they read as soon as bytes come. */
  readonly #ready: Duplex[]
  #requests: Request[]
  #fault: string

  /** @param strictness with Unsafe llhttp has all of its leniencies */
  constructor(strictness: Strictness) {
    this.#strictness = strictness
    // A missing Host field is checked by the server, not by the parser.
    this.#server = createServer({ insecureHTTPParser: strictness === 'Unsafe', requireHostHeader: false })
    this.#ready = []
    this.#requests = []
    this.#fault = ''
    const take = (incoming: IncomingMessage, response: ServerResponse): void => {
      this.#requests.push({ incoming, persistent: response.shouldKeepAlive, end: -1 })
    }
    for (const event of ['request', 'checkContinue', 'checkExpectation']) this.#server.on(event, take)
    // The parser reads no further, but requests before the fault are still to be looked at: the connection stays open.
    this.#server.on('clientError', (error: NodeJS.ErrnoException & { reason?: string }) => {
      this.#fault = `${error.code}: ${error.reason ?? error.message}`
    })
  }

  /** Prepares for reading this many streams. */
  async prepare(count: number): Promise<void> {
    while (this.#ready.length < count) this.#ready.push(this.#connect())
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** @throws when not prepared */
  read(bytes: Buffer, cuts: readonly number[]): Reading {
    const socket = this.#ready.pop()
    if (socket === undefined) throw new Error('prepare was not called')
    this.#requests = []
    this.#fault = ''
    let complete = 0
    let offset = 0
    for (const piece of piecesOf(bytes, cuts)) {
      socket.push(piece)
      offset += piece.length
      for (; complete < this.#requests.length && this.#requests[complete].incoming.complete; complete++) {
        this.#requests[complete].end = offset
      }
      if (this.#fault !== '' || socket.destroyed) break
    }
    if (socket.destroyed && this.#fault === '') this.#fault = 'closed'
    const reading = { messages: this.#requests.map((request) => messageOf(request, this.#strictness)), fault: this.#fault }
    socket.destroy()
    return reading
  }

  #connect(): Duplex {
    const socket = new Duplex({
      read() {},
      write(_chunk, _encoding, done) {
        done()
      },
    })
    socket.on('error', () => {})
    this.#server.emit('connection', socket)
    return socket
  }
}

function messageOf({ incoming, persistent, end }: Request, strictness: Strictness): Reading['messages'][number] {
  const fields = joined(incoming.rawHeaders)
  const body: unknown = incoming.read()
  return {
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    version: incoming.httpVersion,
    fields: strictness === 'Strict' ? withHostOfTarget(incoming.url ?? '', fields) : withoutUnusedLength(fields),
    persistent,
    body: Buffer.isBuffer(body) ? body.toString('latin1') : '',
    trailers: joined(incoming.rawTrailers),
    end,
  }
}

/**
 * The host of an absolute target, in lower case and without the dot at its end, replaces the Host field (RFC 9112
 * section 3.2.2); Node leaves this to the server. A target of another scheme is for a proxy, and leaves the field.
 */
function withHostOfTarget(target: string, fields: readonly string[]): readonly string[] {
  const authority = /^https?:\/\/([^/?#]*)/i
    .exec(target)?.[1]
    .toLowerCase()
    .replace(/\.(?=:|$)/, '')
  if (authority === undefined) return fields
  const place = placeOf('host', fields)
  return place < 0 ? fields : fields.with(place + 1, authority)
}

/** A length next to Transfer-Encoding has no meaning and is removed (RFC 9112 section 6.1); Node leaves this to the server. */
function withoutUnusedLength(fields: readonly string[]): readonly string[] {
  const place = placeOf('content-length', fields)
  return place < 0 || placeOf('transfer-encoding', fields) < 0 ? fields : fields.toSpliced(place, 2)
}

function placeOf(wanted: string, fields: readonly string[]): number {
  return fields.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted)
}
