import {
  type ClientConnection,
  type ConnectionSettings,
  type EngineHost,
  type EngineLimits,
  type Exchange,
  HttpEngine,
  MemoryTransport,
  type ResponseHead,
} from '@gatewright/http'
import { Http1Connection } from '../src/http1/connection.ts'
import { Http1Exchange } from '../src/http1/exchange.ts'

/** httpd's defaults, with timeouts that no test waits for unless it sets its own. */
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

export type Handler = (exchange: Http1Exchange) => void

/** A host that keeps its exchanges and answers them with `handler`. */
export class TestHost implements EngineHost {
  readonly exchanges: Http1Exchange[] = []
  readonly closed: ClientConnection[] = []
  /** Parts of requests that exceeded their time limit. */
  readonly slow: string[] = []
  handler: Handler
  current: ConnectionSettings

  constructor(settings: Partial<ConnectionSettings> = {}, handler: Handler = answerPlainly) {
    this.current = { ...SETTINGS, ...settings }
    this.handler = handler
  }

  onConnection(): ConnectionSettings {
    return this.settings()
  }

  settings(): ConnectionSettings {
    return this.current
  }

  onRequest(exchange: Exchange): void {
    if (!(exchange instanceof Http1Exchange)) throw new TypeError('an exchange of another protocol')
    this.exchanges.push(exchange)
    this.handler(exchange)
  }

  onReadTimeout(_connection: ClientConnection, part: 'header' | 'body'): void {
    this.slow.push(part)
  }

  onClose(connection: ClientConnection): void {
    this.closed.push(connection)
  }
}

export interface Conversation {
  readonly host: TestHost
  readonly engine: HttpEngine
  readonly transport: MemoryTransport
  readonly connection: Http1Connection
}

/** A connection in memory that has received `pieces`. */
export function converse(
  pieces: string | readonly string[],
  settings: Partial<ConnectionSettings> = {},
  handler: Handler = answerPlainly,
  limits?: EngineLimits,
): Conversation {
  const host = new TestHost(settings, handler)
  const engine = new HttpEngine(host, limits)
  const transport = new MemoryTransport({ remoteAddress: '192.0.2.1', remotePort: 4711 })
  const connection = engine.inject(transport)
  if (!(connection instanceof Http1Connection)) throw new TypeError('a connection of another protocol')
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) transport.feed(piece)
  return { host, engine, transport, connection }
}

/** The answer to `raw`: the first exchange of the connection. */
export function first(raw: string, settings: Partial<ConnectionSettings> = {}): Http1Exchange {
  const { host } = converse(raw, settings)
  const exchange = host.exchanges[0]
  if (exchange === undefined) throw new Error(`no request was read from ${JSON.stringify(raw)}`)
  return exchange
}

/**
 * Reads and discards the body, then answers `METHOD TARGET` with 200, or an empty page with the refusal's
 * status.
 */
export function answerPlainly(exchange: Http1Exchange): void {
  if (exchange.refusal !== null) {
    respond(exchange, exchange.refusal.status, '', false)
    return
  }
  exchange.discardBody(0, (refusal) => {
    if (refusal === null) respond(exchange, 200, `${exchange.method} ${exchange.target}`, true)
    else respond(exchange, refusal.status, '', false)
  })
}

export function respond(exchange: Exchange, status: number, text: string, persistent: boolean): void {
  exchange.respond(responseHead({ status, length: text.length, persistent, version: exchange.version }), text, null)
}

export interface HeadOptions {
  readonly status?: number
  readonly reason?: string
  /** Content-Length; absent: none. */
  readonly length?: number
  /** Absent: true. */
  readonly persistent?: boolean
  readonly end?: ResponseHead['end']
  readonly version?: number
}

/** A head as `head` describes it, apart from the fields of the exchange. */
export function responseHead(options: HeadOptions = {}): ResponseHead {
  const { status = 200, reason = 'Text', length, persistent = true, end = 'stated', version = 1001 } = options
  const fields = length === undefined ? '' : `Content-Length: ${length}\r\n`
  return {
    status,
    reason,
    fields,
    contentFields: '',
    end,
    keepAlive: persistent ? { timeout: 5, requestsLeft: 100 } : null,
    connectionOptions: null,
    version,
    claimsHttp10: false,
  }
}

export function head(status: number, length: number, persistent: boolean): string {
  const close = persistent ? '' : 'Connection: close\r\n'
  return `HTTP/1.1 ${status} Text\r\nContent-Length: ${length}\r\n${close}\r\n`
}

/** The status codes of all responses in `text`, in order. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/**
 * Waits until `condition` holds, at most `ms`. The default is exceeded only by a failure, even on a slow
 * machine.
 */
export async function until(condition: () => boolean, ms = 120_000): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(5)) {
    if (condition()) return true
  }
  return condition()
}

export const get = (target: string, fields = ''): string => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`
