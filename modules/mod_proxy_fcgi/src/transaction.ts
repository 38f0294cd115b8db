import { type ModuleLog, OK, type Outcome, type ProxyPassing, ResponseCut, type Table } from '@gatewright/api'
import {
  type CgiHead,
  conditionsOf,
  FastcgiExchange,
  type FastcgiListener,
  overridden,
  takeHead,
  takeRefusedHead,
} from '@gatewright/fastcgi'
import { ResponseStream, type UpstreamConnection, type UpstreamError } from '@gatewright/upstream'
import { failedResponse } from './failures.ts'
import type { OutgoingBody } from './request-body.ts'

/** The request to send, and how. */
export interface TransactionParts {
  readonly connection: UpstreamConnection
  readonly parameters: Table
  readonly body: OutgoingBody
  readonly keepsConnection: boolean
}

/** One request to a responder and its response, which is left in the client's request. */
export class Transaction implements FastcgiListener {
  readonly #passing: ProxyPassing
  readonly #parts: TransactionParts
  readonly #log: ModuleLog
  #exchange: FastcgiExchange | null = null
  #settle: (outcome: Outcome) => void = () => {}
  #isSettled = false
  #stream: ResponseStream | null = null
  /** What the client gets when the response without a body has ended; null if there is one. */
  #atEnd: Outcome | null = null
  #drained: (() => void) | null = null

  constructor(passing: ProxyPassing, parts: TransactionParts, log: ModuleLog) {
    this.#passing = passing
    this.#parts = parts
    this.#log = log
  }

  run(): Promise<Outcome> {
    const { connection, parameters, body, keepsConnection } = this.#parts
    const { request, worker, settings } = this.#passing
    return new Promise((resolve) => {
      this.#settle = resolve
      const exchange = new FastcgiExchange(
        connection,
        {
          params: parameters,
          keepConnection: keepsConnection,
          body: body.start,
          streams: body.rest !== null,
          timeout: worker.parameters.timeout ?? settings.timeout,
        },
        this,
      )
      this.#exchange = exchange
      this.#passing.sent()
      request.onDone(() => this.#passing.count(exchange.bytesSent, exchange.bytesReceived))
      request.whenGone(() => this.#clientGone())
      if (body.rest !== null) void this.#sendBody(exchange, body.rest)
    })
  }

  onHead(head: CgiHead): void {
    const { request, settings } = this.#passing
    if (head.invalidStatus !== null) {
      const script = request.uri.slice(request.uri.lastIndexOf('/') + 1)
      this.#log.write(request, 'error', '', `Invalid status line from script '${script}': ${head.invalidStatus}`)
    }
    if (settings.overrides(head.status)) {
      this.#atEnd = overridden(request, head)
      return
    }
    takeHead(request, head)
    const unchanged = conditionsOf(request, head)
    if (unchanged !== OK) this.#atEnd = unchanged
    else if (request.headerOnly || head.status === 204 || head.status === 304) this.#atEnd = request.respond('')
  }

  /** The first part begins the response: as in httpd, one without a body has a length of 0, and no filter changes it. */
  onData(chunk: Buffer): void {
    if (this.#atEnd !== null) return
    if (this.#stream === null && this.#exchange !== null) {
      this.#stream = new ResponseStream(this.#exchange, -1)
      this.#passing.request.respond(this.#stream)
      this.#finish(OK)
    }
    this.#stream?.push(chunk)
  }

  onEnd(): void {
    if (this.#stream === null) return this.#finish(this.#atEnd ?? this.#passing.request.respond(''))
    this.#stream.end()
  }

  onStderr(text: string): void {
    this.#log.write(this.#passing.request, 'error', 'AH01071', `Got error '${text}'`)
  }

  onError(error: UpstreamError): void {
    this.#drained?.()
    // httpd does not look at why a responder ends a request without a response.
    if (error.code === 'overloaded' || error.code === 'cant-multiplex' || error.code === 'unknown-role') {
      this.#passing.request.respond('')
      this.#finish(OK)
      return
    }
    const { request } = this.#passing
    const fields = this.#exchange?.refusedFields ?? null
    const outcome = failedResponse(this.#passing, error, { log: this.#log, fields })
    this.#stream?.fail(new ResponseCut(error.code))
    if (outcome === OK && this.#stream === null && fields !== null) takeRefusedHead(request, fields)
    this.#finish(this.#atEnd ?? outcome)
  }

  onDrain(): void {
    this.#drained?.()
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

  /** Sends the rest of a long body at the pace of the responder. */
  async #sendBody(exchange: FastcgiExchange, rest: AsyncIterator<Uint8Array>): Promise<void> {
    try {
      for (;;) {
        const next = await rest.next()
        if (next.done === true || exchange.ended) break
        // A filter may use the bytes again before they are sent.
        if (!exchange.write(Buffer.from(next.value))) await this.#drain()
      }
      exchange.endRequest()
    } catch {
      exchange.abort()
      const { request } = this.#passing
      this.#log.write(request, 'error', 'AH01075', 'Error dispatching request to : (reading input brigade)')
      this.#stream?.fail(new ResponseCut('the request body broke off'))
      this.#finish(this.#passing.fail(400, 'Error reading request body'))
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
