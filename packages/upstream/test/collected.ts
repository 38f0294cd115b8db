import {
  type ClientRequest,
  type ConnectionPool,
  HttpClientExchange,
  RESPONSE_LIMITS,
  type ResponseListener,
  type ResponseMessage,
  type UpstreamConnection,
  type UpstreamError,
} from '../src/index.ts'

/** What a listener has received, as plain values. */
export class Collected implements ResponseListener {
  readonly interim: number[] = []
  message: ResponseMessage | null = null
  body = ''
  trailers: [string, string][] = []
  error: UpstreamError | null = null
  ended = false
  readonly done: Promise<Collected>
  #resolve: (self: Collected) => void = () => {}

  // Private, so that a comparison does not look into sockets.
  #exchange: HttpClientExchange | null = null
  #upgraded: { connection: UpstreamConnection; rest: string } | null = null

  get exchange(): HttpClientExchange | null {
    return this.#exchange
  }

  set exchange(exchange: HttpClientExchange) {
    this.#exchange = exchange
  }

  get upgraded(): { connection: UpstreamConnection; rest: string } | null {
    return this.#upgraded
  }

  constructor() {
    this.done = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  onInterim(message: ResponseMessage): void {
    this.interim.push(message.status)
  }

  onHead(message: ResponseMessage): void {
    this.message = message
  }

  onData(chunk: Buffer): void {
    this.body += chunk.toString('latin1')
  }

  onEnd(): void {
    this.ended = true
    this.trailers = [...(this.#exchange?.trailers ?? [])]
    this.#resolve(this)
  }

  onUpgrade(message: ResponseMessage, connection: UpstreamConnection, rest: Buffer): void {
    this.message = message
    this.#upgraded = { connection, rest: rest.toString('latin1') }
    this.#resolve(this)
  }

  onError(error: UpstreamError): void {
    this.error = error
    this.#resolve(this)
  }

  /** For comparisons: everything but the exact text of errors. */
  get result(): object {
    return {
      interim: this.interim,
      status: this.message?.status,
      reason: this.message?.reason,
      version: this.message?.version,
      framing: this.message?.framing,
      fields: [...(this.message?.fields ?? [])],
      body: this.body,
      trailers: this.trailers,
      ended: this.ended,
      rest: this.upgraded?.rest,
      error: this.error?.code,
      detail: this.error?.detail,
    }
  }
}

/** A request without a body. */
export function getRequest(options: Partial<ClientRequest> = {}): ClientRequest {
  return {
    head: 'GET / HTTP/1.1\r\nHost: backend\r\n\r\n',
    method: 'GET',
    body: null,
    framing: 'none',
    upgrade: false,
    limits: RESPONSE_LIMITS,
    timeout: 0,
    pingTimeout: 0,
    badHeader: 'error',
    http09: 'accepted',
    ...options,
  }
}

/** Starts an exchange on a connection of the pool. */
export function start(
  pool: ConnectionPool,
  request: ClientRequest = getRequest(),
  collected: Collected = new Collected(),
): Collected {
  pool.acquire({
    onConnection(connection) {
      collected.exchange = new HttpClientExchange(connection, request, collected)
    },
    onError: (error) => collected.onError(error),
  })
  return collected
}

export function exchange(pool: ConnectionPool, options: Partial<ClientRequest> = {}): Promise<Collected> {
  return start(pool, getRequest(options)).done
}
