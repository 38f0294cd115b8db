import {
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  httpStatus,
  type ModuleLog,
  OK,
  type Outcome,
  type ProxyPassing,
  ResponseCut,
} from '@gatewright/api'
import {
  HttpClientExchange,
  RESPONSE_LIMITS,
  type ResponseListener,
  type ResponseMessage,
  ResponseStream,
  type UpstreamConnection,
  type UpstreamError,
} from '@gatewright/upstream'

/** Fields that belong to the connection to the back end. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** One request to a back end and its response, which is left in the client's request. Responses are those of HTTP. */
export class Transaction implements ResponseListener {
  readonly #passing: ProxyPassing
  readonly #connection: UpstreamConnection
  readonly #packet: Buffer
  readonly #log: ModuleLog
  #exchange: HttpClientExchange | null = null
  #settle: (outcome: Outcome) => void = () => {}
  #isSettled = false
  #stream: ResponseStream | null = null
  #drained: (() => void) | null = null

  constructor(passing: ProxyPassing, connection: UpstreamConnection, packet: Buffer, log: ModuleLog) {
    this.#passing = passing
    this.#connection = connection
    this.#packet = packet
    this.#log = log
  }

  run(): Promise<Outcome> {
    const { request, worker, settings } = this.#passing
    const hasBody = request.headersIn.has('Content-Length')
    return new Promise((resolve) => {
      this.#settle = resolve
      const exchange = new HttpClientExchange(
        this.#connection,
        {
          head: this.#packet.toString('latin1'),
          method: request.method,
          body: null,
          framing: hasBody ? 'length' : 'none',
          upgrade: false,
          limits: RESPONSE_LIMITS,
          timeout: worker.parameters.timeout ?? settings.timeout,
          pingTimeout: 0,
          badHeader: 'error',
          http09: 'refused',
        },
        this,
      )
      this.#exchange = exchange
      request.onDone(() => this.#passing.count(exchange.bytesSent, exchange.bytesReceived))
      request.whenGone(() => {
        exchange.abort()
        this.#drained?.()
        this.#finish(OK)
      })
      if (hasBody) void this.#sendBody(exchange)
    })
  }

  onInterim(): void {
    // The client decides with the server about its body.
  }

  onHead(message: ResponseMessage): void {
    const { request, settings } = this.#passing
    const exchange = this.#exchange
    if (exchange === null) return
    if (settings.overrides(message.status)) {
      exchange.abort()
      return this.#finish(httpStatus(message.status))
    }
    takeHead(this.#passing, message)
    if (request.headerOnly || message.status === 204 || message.status === 304) return
    this.#stream = new ResponseStream(exchange, message.framing === 'length' ? message.contentLength : -1)
    request.respond(this.#stream)
    this.#finish(OK)
  }

  onData(chunk: Buffer): void {
    this.#stream?.push(chunk)
  }

  onEnd(): void {
    if (this.#stream !== null) return this.#stream.end()
    this.#finish(this.#passing.request.respond(''))
  }

  onError({ code }: UpstreamError): void {
    this.#drained?.()
    if (this.#stream !== null) return this.#stream.fail(new ResponseCut(code))
    const isSilent = code === 'closed-early' || code.endsWith('timeout')
    this.#finish(isSilent ? HTTP_INTERNAL_SERVER_ERROR : httpStatus(502))
  }

  onDrain(): void {
    this.#drained?.()
  }

  #finish(outcome: Outcome): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#settle(outcome)
  }

  async #sendBody(exchange: HttpClientExchange): Promise<void> {
    try {
      for await (const chunk of this.#passing.request.readBody()) {
        if (exchange.ended) return
        // A filter may use the bytes again before they are sent.
        if (!exchange.write(Buffer.from(chunk))) await this.#drain()
      }
      exchange.endRequest()
    } catch {
      exchange.abort()
      this.#stream?.fail(new ResponseCut('the request body broke off'))
      this.#log.write(this.#passing.request, 'error', 'AH10099', 'receiving request body failed')
      this.#finish(HTTP_BAD_REQUEST)
    }
  }

  #drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained = () => {
        this.#drained = null
        resolve()
      }
    })
  }
}

/** Puts status and fields of a response into the request. */
function takeHead({ request }: ProxyPassing, message: ResponseMessage): void {
  request.status = message.status
  request.reason = message.reason
  const named = new Set((message.fields.get('connection') ?? '').split(',').map((word) => word.trim().toLowerCase()))
  for (const [name, value] of message.fields) {
    const key = name.toLowerCase()
    if (OWN_FIELDS.has(key) || named.has(key)) continue
    if (key === 'content-type') request.contentType = value
    request.headersOut.add(name, value)
  }
}
