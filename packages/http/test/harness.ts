import {
  type ConnectionSettings,
  type EngineHost,
  type EngineLimits,
  type Exchange,
  type HttpConnection,
  HttpEngine,
  MemoryTransport,
} from '@gatewright/http'

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
  headLimit: null,
  bodyLimit: null,
}

export type Handler = (exchange: Exchange) => void

/** A host that keeps its exchanges and answers them with `handler`. */
export class TestHost implements EngineHost {
  readonly exchanges: Exchange[] = []
  readonly closed: HttpConnection[] = []
  /** Parts of requests that exceeded their time limit. */
  readonly slow: string[] = []
  handler: Handler
  current: ConnectionSettings

  constructor(settings: Partial<ConnectionSettings> = {}, handler: Handler = answerPlainly) {
    this.current = { ...SETTINGS, ...settings }
    this.handler = handler
  }

  settings(): ConnectionSettings {
    return this.current
  }

  onRequest(exchange: Exchange): void {
    this.exchanges.push(exchange)
    this.handler(exchange)
  }

  onReadTimeout(_connection: HttpConnection, part: 'header' | 'body'): void {
    this.slow.push(part)
  }

  onClose(connection: HttpConnection): void {
    this.closed.push(connection)
  }
}

export interface Conversation {
  readonly host: TestHost
  readonly engine: HttpEngine
  readonly transport: MemoryTransport
  readonly connection: HttpConnection
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
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) transport.feed(piece)
  return { host, engine, transport, connection }
}

/** The answer to `raw`: the first exchange of the connection. */
export function first(raw: string, settings: Partial<ConnectionSettings> = {}): Exchange {
  const { host } = converse(raw, settings)
  const exchange = host.exchanges[0]
  if (exchange === undefined) throw new Error(`no request was read from ${JSON.stringify(raw)}`)
  return exchange
}

/**
 * Reads and discards the body, then answers `METHOD TARGET` with 200, or an empty page with the refusal's
 * status.
 */
export function answerPlainly(exchange: Exchange): void {
  if (exchange.refusal !== null) {
    respond(exchange, exchange.refusal.status, '', false)
    return
  }
  exchange.discardBody(0, (refusal) => {
    if (refusal === null) respond(exchange, 200, `${exchange.method} ${exchange.target}`, exchange.persistencePossible)
    else respond(exchange, refusal.status, '', false)
  })
}

export function respond(exchange: Exchange, status: number, text: string, persistent: boolean): void {
  exchange.send(exchange.version === 9 ? '' : head(status, text.length, persistent), text, persistent)
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
