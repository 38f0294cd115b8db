import {
  type ClientConnection,
  type ConnectionSettings,
  type EngineHost,
  type Exchange,
  HttpEngine,
  MemoryTransport,
  type ResponseHead,
  type Successor,
} from '@gatewright/http'
import { ByteWriter } from '../../src/byte-writer.ts'
import { HpackDecoder, HpackEncoder } from '../../src/hpack/index.ts'
import { type ConnectionRules, HTTP2_PREFACE, Http2Connection, Http2Exchange } from '../../src/index.ts'

export const SETTINGS: ConnectionSettings = {
  limitRequestLine: 8190,
  limitRequestFieldSize: 8190,
  limitRequestFields: 100,
  strict: true,
  scheme: 'http',
  methods: null,
  allowHttp09: true,
  timeout: 60_000,
  keepAliveTimeout: 5000,
  handshakeLimit: null,
  headLimit: null,
  bodyLimit: null,
}

export const RULES: ConnectionRules = {
  maxStreams: 100,
  windowSize: 0,
  maxDataFrame: 0,
  maxHeaderBlock: 0,
  maxStreamErrors: 8,
  padding: 0,
  streamTimeout: 0,
  webSockets: false,
  push: true,
  pushDiarySize: 256,
}

export type Field = readonly [name: string, value: string]

/** One frame that the server has sent. */
export interface ReceivedFrame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
  /** Of HEADERS, decoded. */
  readonly fields: readonly Field[]
}

export type Handler = (exchange: Http2Exchange) => void

/** A server of HTTP/2 in memory, and its client, which sends frame by frame. */
export class FrameClient implements EngineHost {
  readonly exchanges: Http2Exchange[] = []
  /** Of HTTP/1.x. They are not answered. */
  readonly others: Exchange[] = []
  readonly reports: string[] = []
  readonly slow: string[] = []
  readonly engine: HttpEngine
  readonly transport: MemoryTransport
  closed = false
  handler: Handler
  readonly #rules: ConnectionRules
  readonly #settings: ConnectionSettings
  readonly #encoder = new HpackEncoder()
  readonly #decoder = new HpackDecoder()
  #read = 0

  /** All frames that were returned by `frames`. */
  readonly seen: ReceivedFrame[] = []

  constructor(
    handler: Handler,
    rules: Partial<ConnectionRules> = {},
    settings: Partial<ConnectionSettings> = {},
    engine: HttpEngine | null = null,
  ) {
    this.handler = handler
    this.#rules = { ...RULES, ...rules }
    this.#settings = { ...SETTINGS, ...settings }
    this.engine = engine ?? new HttpEngine(this)
    this.transport = new MemoryTransport({ remoteAddress: '192.0.2.1', remotePort: 4711 })
    this.engine.inject(this.transport)
  }

  /** Sends the preface and empty settings. */
  static begun(handler: Handler, rules: Partial<ConnectionRules> = {}, settings: Partial<ConnectionSettings> = {}): FrameClient {
    const client = new FrameClient(handler, rules, settings)
    client.transport.feed(HTTP2_PREFACE)
    client.send(4, 0, 0)
    return client
  }

  /** Another client of the same engine, whose requests that one's handler answers. */
  static beside(client: FrameClient): FrameClient {
    const other = new FrameClient(client.handler, {}, {}, client.engine)
    other.transport.feed(HTTP2_PREFACE)
    other.send(4, 0, 0)
    return other
  }

  onConnection(): ConnectionSettings {
    return this.#settings
  }

  settings(): ConnectionSettings {
    return this.#settings
  }

  onRequest(exchange: Exchange): void {
    if (!(exchange instanceof Http2Exchange)) return void this.others.push(exchange)
    this.exchanges.push(exchange)
    this.handler(exchange)
  }

  successorsOf(): readonly Successor[] {
    return [
      {
        opening: HTTP2_PREFACE,
        begin: (engine, transport, former) => {
          const connection = new Http2Connection(engine, transport, former, {
            rules: this.#rules,
            host: { report: (_connection, level, _code, text) => this.reports.push(`${level}: ${text}`) },
            settings: this.#settings,
            isSecured: false,
            expectsPreface: true,
            number: 0,
          })
          connection.begin()
          return connection
        },
      },
    ]
  }

  onReadTimeout(_connection: ClientConnection, part: string): void {
    this.slow.push(part)
  }

  onClose(): void {
    this.closed = true
  }

  /** Sends a frame. */
  send(type: number, flags: number, stream: number, payload: Buffer | string = ''): void {
    this.transport.feed(frameBytes(type, flags, stream, payload))
  }

  /** The block of a request, in the state of this client's table. */
  block(fields: readonly Field[]): Buffer {
    const block = new ByteWriter()
    this.#encoder.begin(block)
    for (const [name, value] of fields) this.#encoder.field(block, name, value)
    return block.copy()
  }

  /** Sends a request that ends with its header block, or has a body. */
  request(stream: number, path = '/', more: readonly Field[] = [], method = 'GET', ends = true): void {
    this.send(1, ends ? 5 : 4, stream, this.block([...pseudoFields(method, path), ...more]))
  }

  /** The frames that have arrived since the last call, after what the server does in the next turns of the loop. */
  async frames(): Promise<ReceivedFrame[]> {
    for (let turn = 0; turn < 6; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
    const bytes = Buffer.concat(this.transport.output)
    const frames: ReceivedFrame[] = []
    while (bytes.length - this.#read >= 9) {
      const length = bytes.readUIntBE(this.#read, 3)
      const payload = bytes.subarray(this.#read + 9, this.#read + 9 + length)
      const frame = {
        type: bytes[this.#read + 3],
        flags: bytes[this.#read + 4],
        stream: bytes.readUInt32BE(this.#read + 5),
        payload,
      }
      this.#read += 9 + length
      frames.push({ ...frame, fields: this.#fieldsOf(frame) })
    }
    this.seen.push(...frames)
    return frames
  }

  #fieldsOf({ type, payload }: { readonly type: number; readonly payload: Buffer }): Field[] {
    const fields: Field[] = []
    if (type !== 1 && type !== 5) return fields
    const start = type === 5 ? 4 : 0
    const isDecoded = this.#decoder.decode(payload, start, payload.length, { field: (name, value) => fields.push([name, value]) })
    if (!isDecoded) throw new Error('the header block of the server cannot be decoded')
    return fields
  }
}

export function frameBytes(type: number, flags: number, stream: number, payload: Buffer | string = ''): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : payload
  const head = Buffer.alloc(9)
  head.writeUIntBE(bytes.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, bytes])
}

export function pseudoFields(method: string, path: string): Field[] {
  return [
    [':method', method],
    [':scheme', 'http'],
    [':authority', 'localhost'],
    [':path', path],
  ]
}

export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** The head of a response. */
export function headOf(status: number, fields = '', end: ResponseHead['end'] = 'stated'): ResponseHead {
  const own = { contentFields: '', keepAlive: null, connectionOptions: null, version: 2000, claimsHttp10: false }
  return { status, reason: '', fields, end, ...own }
}

/** Answers with the path of the request, or with its refusal. */
export function answerPlainly(exchange: Http2Exchange): void {
  if (exchange.refusal !== null) return exchange.respond(headOf(exchange.refusal.status), null, null)
  exchange.respond(headOf(200, 'Content-Type: text/plain\r\n'), exchange.target, null)
}

/** A short text of a frame: `HEADERS 1 200`, `DATA 1 "text" end`, `GOAWAY PROTOCOL_ERROR`. */
export function describe({ type, flags, stream, payload, fields }: ReceivedFrame): string {
  const end = (flags & 1) !== 0 ? ' end' : ''
  switch (type) {
    case 0:
      return `DATA ${stream} ${payload.length > 40 ? payload.length : `"${payload.toString('latin1')}"`}${end}`
    case 1:
      return `HEADERS ${stream} ${fields.find(([name]) => name === ':status')?.[1] ?? 'trailers'}${end}`
    case 3:
      return `RST_STREAM ${stream} ${payload.readUInt32BE(0)}`
    case 4:
      return (flags & 1) !== 0 ? 'SETTINGS ack' : 'SETTINGS'
    case 5:
      return `PUSH_PROMISE ${stream} ${fields.find(([name]) => name === ':path')?.[1]}`
    case 6:
      return (flags & 1) !== 0 ? 'PING ack' : 'PING'
    case 7:
      return `GOAWAY ${payload.readUInt32BE(4)} last ${payload.readUInt32BE(0)}`
    case 8:
      return `WINDOW_UPDATE ${stream} ${payload.readUInt32BE(0)}`
    default:
      return `type ${type}`
  }
}

/** The texts of what answers requests: without settings and windows. */
export async function answers(client: FrameClient): Promise<string[]> {
  return (await client.frames()).map(describe).filter((text) => !/^(SETTINGS|WINDOW_UPDATE)/.test(text))
}
