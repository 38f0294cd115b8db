import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { HpackDecoder } from '../../packages/http2/src/hpack/index.ts'
import { type Answer, sortedFields } from './answer.ts'
import { type ClientSide, type Meaning, SETTINGS_ACK } from './conversation.ts'
import { ACK, END_STREAM, frame, PADDED, TYPE, uint32 } from './frames.ts'
import type { Choice, Field } from './requests.ts'

/** What is granted when everything was sent: more than all responses need. */
const LAST_GRANT = 20_000_000
const INITIAL_WINDOW = 65_535

/** How long the server may be silent before it counts as stuck, ms: only a failure takes so long. */
const PATIENCE = 10_000

class Stream {
  status = 0
  fields: Field[] = []
  trailers: Field[] = []
  readonly body: Buffer[] = []
  /** Bytes of WINDOW_UPDATE, without the initial window. */
  granted = 0
  received = 0
  hasEnded = false
  isReset = false
}

/** The client of one conversation: sends its bytes in random pieces, and judges what the server may send. */
export class Http2Client {
  readonly #socket: Socket
  readonly #decoder = new HpackDecoder()
  readonly #streams = new Map<number, Stream>()
  readonly #found: string[] = []
  readonly #pings: string[] = []
  /** Initial windows that the server has not acknowledged, after the one that it has. */
  readonly #initialWindows: number[] = [INITIAL_WINDOW]
  readonly #connection = new Stream()
  #frameSize = 16_384
  #rest: Buffer = Buffer.alloc(0)
  #lastSign = Date.now()
  #isClosed = false
  /** Acknowledgements that wait for the end of a frame. */
  #owed: Buffer[] = []
  #isSending = false

  constructor(port: number) {
    this.#socket = createConnection(port, '127.0.0.1')
    this.#socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      this.#isClosed = true
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Rules that the server has broken, in words. */
  get found(): readonly string[] {
    return this.#found
  }

  /** Sends everything, and waits for the end of the streams that were not given up. */
  async run(choice: Choice, { steps, isWide }: ClientSide): Promise<void> {
    await once(this.#socket, 'connect')
    let piece: Buffer = Buffer.alloc(0)
    this.#isSending = true
    for (const { bytes, meaning } of steps) {
      this.#promise(meaning)
      piece = Buffer.concat([piece, bytes, ...this.#owed])
      this.#owed = []
      // Some pieces end between frames, and some within one.
      while (piece.length > 0 && choice(3) === 0) {
        const end = choice(4) === 0 ? piece.length : choice(piece.length + 1)
        this.#socket.write(Buffer.from(piece.subarray(0, end)))
        piece = piece.subarray(end)
        for (let turns = [0, 1, 1, 3][choice(4)]; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    this.#socket.write(Buffer.concat([piece, ...this.#owed]))
    this.#isSending = false
    this.#grant(0, this.#connection)
    // A stream that was forgotten would be found again by its own window.
    if (!isWide) for (const [id, stream] of this.#streams) this.#grant(id, stream)
    await this.#quiet()
  }

  /** @returns null for a stream without a complete response */
  answer(id: number): Answer | null {
    const stream = this.#streams.get(id)
    if (stream === undefined || !stream.hasEnded) return null
    return {
      status: stream.status,
      fields: sortedFields(stream.fields),
      body: Buffer.concat(stream.body).toString('latin1'),
      trailers: sortedFields(stream.trailers),
    }
  }

  #grant(id: number, stream: Stream): void {
    stream.granted += LAST_GRANT
    this.#socket.write(frame(TYPE.windowUpdate, 0, id, uint32(LAST_GRANT)))
  }

  async #quiet(): Promise<void> {
    this.#lastSign = Date.now()
    const isDone = (): boolean => [...this.#streams.values()].every(({ hasEnded, isReset }) => hasEnded || isReset)
    while (!(isDone() && this.#pings.length === 0) && !this.#isClosed) {
      if (Date.now() - this.#lastSign > PATIENCE) {
        this.#found.push('the server is silent, and responses or acknowledgements are missing')
        return
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    if (!isDone()) this.#found.push('the server has closed the connection before the last response')
  }

  /** What the client may expect from now on. */
  #promise(meaning: Meaning): void {
    switch (meaning.kind) {
      case 'opens':
        this.#streams.set(meaning.stream, new Stream())
        return
      case 'resets':
        this.#streamOf(meaning.stream).isReset = true
        return
      case 'window':
        this.#streamOf(meaning.stream).granted += meaning.count
        return
      case 'settings':
        this.#initialWindows.push(meaning.initialWindow ?? this.#initialWindows[this.#initialWindows.length - 1])
        this.#frameSize = Math.max(this.#frameSize, meaning.frameSize ?? 0)
        return
      case 'ping':
        this.#pings.push(meaning.content)
        return
      case 'none':
    }
  }

  #streamOf(id: number): Stream {
    const stream = id === 0 ? this.#connection : this.#streams.get(id)
    if (stream === undefined) throw new Error(`the conversation did not open stream ${id}`)
    return stream
  }

  #receive(bytes: Buffer): void {
    this.#lastSign = Date.now()
    let all = Buffer.concat([this.#rest, bytes])
    while (all.length >= 9 && all.length >= 9 + all.readUIntBE(0, 3)) {
      const end = 9 + all.readUIntBE(0, 3)
      this.#frame(all[3], all[4], all.readUInt32BE(5), all.subarray(9, end))
      all = all.subarray(end)
    }
    this.#rest = all
  }

  #frame(type: number, flags: number, id: number, payload: Buffer): void {
    if (payload.length > this.#frameSize) this.#found.push(`a frame of ${payload.length} bytes is larger than the client admits`)
    switch (type) {
      case TYPE.data:
        return this.#data(flags, id, payload)
      case TYPE.headers:
        return this.#headers(flags, id, payload)
      case TYPE.reset:
        return this.#reset(id, payload.readUInt32BE(0))
      case TYPE.settings:
        if ((flags & ACK) !== 0) this.#initialWindows.shift()
        else if (this.#isSending) this.#owed.push(SETTINGS_ACK)
        else this.#socket.write(SETTINGS_ACK)
        return
      case TYPE.ping: {
        const content = payload.toString()
        if (content !== this.#pings.shift()) this.#found.push(`a PING was acknowledged out of order: ${content}`)
        return
      }
      case TYPE.goaway:
        this.#found.push(`GOAWAY with code ${payload.readUInt32BE(4)}: ${payload.toString('latin1', 8)}`)
        return
      case TYPE.windowUpdate:
        return
      default:
        this.#found.push(`a frame of type ${type}`)
    }
  }

  #data(flags: number, id: number, payload: Buffer): void {
    const stream = this.#streams.get(id)
    if (stream === undefined || stream.hasEnded || stream.status === 0) {
      this.#found.push(`DATA on stream ${id}, which has no open response`)
      return
    }
    for (const [name, { granted, received }, initial] of [
      [`stream ${id}`, stream, Math.max(...this.#initialWindows)],
      ['the connection', this.#connection, INITIAL_WINDOW],
    ] as const) {
      if (payload.length > 0 && received + payload.length > granted + initial) this.#found.push(`more DATA than ${name} admits`)
    }
    stream.received += payload.length
    this.#connection.received += payload.length
    stream.body.push((flags & PADDED) === 0 ? payload : payload.subarray(1, payload.length - payload[0]))
    if ((flags & END_STREAM) !== 0) stream.hasEnded = true
  }

  #headers(flags: number, id: number, payload: Buffer): void {
    const fields: Field[] = []
    const isDecoded = this.#decoder.decode(payload, 0, payload.length, {
      field: (name, value) => void fields.push([name, value]),
    })
    const stream = this.#streams.get(id)
    if (!isDecoded || stream === undefined || stream.hasEnded) {
      this.#found.push(`HEADERS on stream ${id} that cannot be read, or belong to no response`)
      return
    }
    const status = Number(fields.find(([name]) => name === ':status')?.[1] ?? 0)
    if (status >= 100 && status < 200) return
    if (stream.status === 0) {
      stream.status = status
      stream.fields = fields
    } else stream.trailers = fields
    if ((flags & END_STREAM) !== 0) stream.hasEnded = true
  }

  #reset(id: number, code: number): void {
    const stream = this.#streams.get(id)
    const isAfterwards = stream?.hasEnded === true && code === 0
    if (!isAfterwards && stream?.isReset !== true) this.#found.push(`stream ${id} was reset with code ${code}`)
    if (stream !== undefined) stream.isReset = true
  }
}
