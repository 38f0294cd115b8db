import { type ModuleLog, OK, type Outcome, type ProxyPassing, ResponseCut, type TunnelBody } from '@gatewright/api'
import {
  HttpClientExchange,
  hasNoBody,
  type OutgoingBody,
  overridden,
  RESPONSE_LIMITS,
  type ResponseListener,
  type ResponseMessage,
  ResponseStream,
  relayedResponseFields,
  takeHead,
  tunnelTo,
  type UpstreamConnection,
  type UpstreamError,
  type UpstreamTarget,
  viaOf,
} from '@gatewright/upstream'
import { failedResponse, reportCut } from './failures.ts'
import { backendName } from './name-in-messages.ts'

/** The request to send, and how. */
export interface TransactionParts {
  readonly connection: UpstreamConnection
  readonly head: string
  readonly body: OutgoingBody
  readonly upgrade: string | null
  readonly waitsForContinue: boolean
  readonly target: UpstreamTarget
}

/** Closes the connection of the client without a response. */
const SILENT_END: TunnelBody = { opening: '', tunnel: (client) => void client.destroy() }

/** One request to a backend and its response, which is left in the client's request. */
export class Transaction implements ResponseListener {
  readonly #passing: ProxyPassing
  readonly #parts: TransactionParts
  readonly #log: ModuleLog
  readonly #kept: boolean
  #exchange: HttpClientExchange | null = null
  #settle: (outcome: Outcome) => void = () => {}
  #stream: ResponseStream | null = null
  #head: ResponseMessage | null = null
  /** Whether all of the body has arrived with its head: then it is no stream. */
  #isWhole = false
  /** Bytes of the status lines and of the body: as httpd counts what members of balancers carry. */
  #received = 0
  #isSettled = false
  #discards = false
  #sendsBody = false
  #interim = false
  #drained: (() => void) | null = null

  constructor(passing: ProxyPassing, parts: TransactionParts, log: ModuleLog) {
    this.#passing = passing
    this.#parts = parts
    this.#log = log
    this.#kept = parts.connection.uses > 0
  }

  run(): Promise<Outcome> {
    const { connection, head, body, upgrade } = this.#parts
    const { request, worker, settings } = this.#passing
    return new Promise((resolve) => {
      this.#settle = resolve
      const { responsefieldsize, timeout, ping } = worker.parameters
      const limits = responsefieldsize === undefined ? RESPONSE_LIMITS : { ...RESPONSE_LIMITS, fieldSize: responsefieldsize }
      const exchange = new HttpClientExchange(
        connection,
        {
          head,
          method: request.method,
          body: body.whole,
          framing: body.whole === null ? body.kind : 'none',
          upgrade: upgrade !== null,
          limits,
          timeout: timeout ?? settings.timeout,
          pingTimeout: this.#parts.waitsForContinue && body.kind !== 'none' ? (ping ?? timeout ?? settings.timeout) : 0,
          badHeader: settings.badHeader,
          http09: 'accepted',
        },
        this,
      )
      this.#exchange = exchange
      request.onDone(() => this.#passing.count(exchange.bytesSent, this.#received))
      request.whenGone(() => this.#clientGone())
      if (body.whole === null && body.kind !== 'none' && !this.#parts.waitsForContinue) void this.#sendBody()
    })
  }

  onInterim(message: ResponseMessage): void {
    this.#countStatusLine(message)
    this.#interim = true
    if (message.status === 100) {
      // The client gets its 100 (Continue) when its body is read.
      if (this.#parts.waitsForContinue && !this.#sendsBody) void this.#sendBody()
      return
    }
    try {
      this.#passing.request.sendInterim(message.status, message.reason ?? '', this.#interimFields(message))
    } catch {
      // A field that is not valid is not relayed, and an interim response is only a hint.
    }
  }

  *#interimFields(message: ResponseMessage): Generator<readonly [name: string, value: string]> {
    yield* relayedResponseFields(message)
    const { request, settings } = this.#passing
    if (settings.via === 'on' || settings.via === 'full') yield ['Via', viaOf(request, settings.via)]
  }

  onHead(message: ResponseMessage): void {
    this.#countStatusLine(message)
    const { request, settings } = this.#passing
    this.#head = message
    if (settings.overrides(message.status)) {
      this.#discards = true
      this.#finish(overridden(request, message))
      return
    }
    takeHead(this.#passing, message)
    if (settings.badHeader === 'body' && message.version >= 1000 && [...message.fields].length === 0) {
      this.#log.write(request, 'warn', 'AH01099', `No HTTP headers returned by ${request.uri} (${request.method})`)
    }
    const exchange = this.#exchange
    if (exchange === null) return
    const length = message.framing === 'length' || request.headerOnly ? message.contentLength : -1
    if (message.framing === 'length' && length > 0 && length <= exchange.buffered) {
      this.#isWhole = true
      return
    }
    this.#stream = new ResponseStream(exchange, length)
    if (hasNoBody(request, message)) return
    // A response that fails at once can still be replaced by an error.
    setImmediate(() => this.#respond())
  }

  onData(chunk: Buffer): void {
    this.#received += chunk.length
    if (this.#discards) return
    if (this.#isWhole) {
      this.#passing.request.respond(Buffer.from(chunk))
      return
    }
    this.#stream?.push(chunk)
    this.#respond()
  }

  onEnd(): void {
    if (this.#isWhole) return this.#finish(OK)
    this.#stream?.end()
    this.#respond()
  }

  onUpgrade(message: ResponseMessage, connection: UpstreamConnection, rest: Buffer): void {
    const { request, settings, worker } = this.#passing
    const named = message.fields.get('upgrade') ?? ''
    const expected = this.#parts.upgrade ?? 'n/a'
    if (named.toLowerCase() !== expected.toLowerCase()) {
      connection.destroy()
      this.#finish(this.#passing.fail(502, `Unexpected Upgrade: ${named} (expecting ${expected})`))
      return
    }
    let opening = `HTTP/1.1 101 ${message.reason ?? 'Switching Protocols'}\r\n`
    for (const [name, value] of relayedResponseFields(message)) opening += `${name}: ${value}\r\n`
    request.status = 101
    const idle = worker.parameters.timeout ?? settings.timeout
    const count = (sent: number, received: number): void => this.#passing.count(sent, received)
    opening += `Connection: Upgrade\r\nUpgrade: ${named}\r\n`
    request.respond(tunnelTo(`${opening}\r\n`, connection, rest, idle, count))
    this.#finish(OK)
  }

  onError(error: UpstreamError): void {
    this.#drained?.()
    if (this.#isSettled) {
      if (this.#discards) return
      reportCut(this.#passing, error, this.#log)
      this.#stream?.fail(new ResponseCut(error.code))
      return
    }
    const { request } = this.#passing
    if (this.#head !== null && this.#stream !== null && hasNoBody(request, this.#head)) return this.onEnd()
    const { target, waitsForContinue } = this.#parts
    const address = backendName(this.#passing, target)
    const head = this.#head
    const early = head === null && (error.code === 'closed-early' || (this.#interim && error.code === 'closed-in-head'))
    this.#stream = null
    request.headersOut.clear()
    request.status = 200
    request.reason = null
    request.contentType = null
    if (early && this.#kept && request.connection.keepalives > 0) {
      const text = `error reading status line from remote server ${address}`
      this.#log.write(request, 'error', 'AH01102', text, error.cause ?? undefined)
      request.respond(SILENT_END)
      this.#finish(OK)
      return
    }
    this.#finish(
      failedResponse(this.#passing, error, this.#log, {
        address,
        waitsForContinue: waitsForContinue && !this.#sendsBody,
        isEarly: early,
      }),
    )
  }

  #countStatusLine({ reason }: ResponseMessage): void {
    this.#received += 'HTTP/1.1 200'.length + (reason === null ? 0 : reason.length + 1)
  }

  onDrain(): void {
    this.#drained?.()
  }

  /** Leaves the response in the request, once. */
  #respond(): void {
    if (this.#isSettled || this.#stream === null) return
    this.#passing.request.respond(this.#stream)
    this.#finish(OK)
  }

  #finish(outcome: Outcome): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#settle(outcome)
  }

  #clientGone(): void {
    this.#exchange?.abort()
    this.#drained?.()
    this.#finish(OK)
  }

  /** Sends the rest of a long body at the pace of the backend. */
  async #sendBody(): Promise<void> {
    this.#sendsBody = true
    const exchange = this.#exchange
    const { start, rest } = this.#parts.body
    if (exchange === null) return
    try {
      for (const chunk of start) await this.#write(exchange, chunk)
      for (;;) {
        const next = await rest?.next()
        if (next === undefined || next.done === true) break
        if (exchange.ended) return
        await this.#write(exchange, next.value)
      }
      exchange.endRequest()
    } catch (error) {
      exchange.abort()
      if (!this.#isSettled) this.#bodyFailed(error)
    }
  }

  #bodyFailed(error: unknown): void {
    const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 400
    this.#finish(this.#passing.fail(status, 'Error reading request body'))
  }

  async #write(exchange: HttpClientExchange, chunk: Uint8Array): Promise<void> {
    // The engine of the server may use the bytes again before they are sent.
    if (exchange.write(Buffer.from(chunk))) return
    await new Promise<void>((resolve) => {
      this.#drained = () => {
        this.#drained = null
        resolve()
      }
    })
  }
}
