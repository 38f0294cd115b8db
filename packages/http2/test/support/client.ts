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
import { type ConnectionRules, HTTP2_PREFACE, Http2Connection, Http2Exchange } from '../../src/index.ts'
import { BlockWriter, describe, type Field, FrameParser, frameBytes, pseudoFields, type ReceivedFrame } from './frames.ts'

export { describe, type Field, frameBytes, pseudoFields, type ReceivedFrame, uint32 } from './frames.ts'

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
  proxyRequests: false,
  push: true,
  pushDiarySize: 256,
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
  readonly #blocks = new BlockWriter()
  readonly #parser = new FrameParser()
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
    return this.#blocks.block(fields)
  }

  /** Sends a request that ends with its header block, or has a body. */
  request(stream: number, path = '/', more: readonly Field[] = [], method = 'GET', ends = true): void {
    this.send(1, ends ? 5 : 4, stream, this.block([...pseudoFields(method, path), ...more]))
  }

  /** The frames that have arrived since the last call, after what the server does in the next turns of the loop. */
  async frames(): Promise<ReceivedFrame[]> {
    for (let turn = 0; turn < 6; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
    const bytes = Buffer.concat(this.transport.output)
    const frames = this.#parser.push(bytes.subarray(this.#read))
    this.#read = bytes.length
    this.seen.push(...frames)
    return frames
  }
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

/** The texts of what answers requests: without settings and windows. */
export async function answers(client: FrameClient): Promise<string[]> {
  return (await client.frames()).map(describe).filter((text) => !/^(SETTINGS|WINDOW_UPDATE)/.test(text))
}
