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
import { type CgiHead, CgiHeadReader, overridden, takeHead } from '@gatewright/fastcgi'
import {
  PlainExchange,
  type PlainListener,
  ResponseStream,
  type UpstreamConnection,
  type UpstreamError,
} from '@gatewright/upstream'
import type { ScgiConfig } from './config.ts'
import { redirected, sendFile } from './pseudo-fields.ts'

/** The request to send, and how. */
export interface TransactionParts {
  readonly connection: UpstreamConnection
  readonly block: Buffer
  /** Of the back end, for messages. */
  readonly address: string
  readonly config: Readonly<ScgiConfig>
  readonly log: ModuleLog
}

/** One request to a back end and its response, which is left in the client's request. */
export class Transaction implements PlainListener {
  readonly #passing: ProxyPassing
  readonly #parts: TransactionParts
  readonly #head: CgiHeadReader
  readonly #exchange: PlainExchange
  #settle: (outcome: Outcome | Promise<Outcome>) => void = () => {}
  #isSettled = false
  #stream: ResponseStream | null = null

  constructor(passing: ProxyPassing, parts: TransactionParts) {
    const { worker, settings } = passing
    this.#passing = passing
    this.#parts = parts
    this.#head = new CgiHeadReader()
    this.#exchange = new PlainExchange(parts.connection, worker.parameters.timeout ?? settings.timeout, this)
  }

  run(): Promise<Outcome> {
    const { request } = this.#passing
    const exchange = this.#exchange
    return new Promise((resolve) => {
      this.#settle = resolve
      request.onDone(() => this.#passing.count(exchange.bytesSent, exchange.bytesReceived))
      request.whenGone(() => {
        exchange.abort()
        this.#finish(OK)
      })
      exchange.write(this.#parts.block)
      if (request.headersIn.has('Content-Length')) void this.#sendBody()
      else exchange.endRequest()
    })
  }

  onData(bytes: Buffer): void {
    if (this.#stream !== null) return this.#stream.push(bytes)
    if (this.#isSettled) return
    const status = this.#head.read(bytes, 0, bytes.length)
    if (status === 'more') return
    const { head, input } = this.#head
    if (status === 'refused' || head === null) {
      const line = this.#head.detail.slice(0, 30)
      return this.#refuse(`malformed header from script '${this.#script}': Bad header: ${line}`)
    }
    this.#takeHead(head, input.bytes.subarray(input.start, input.start + input.length))
    input.clear()
  }

  onEnd(): void {
    if (this.#stream !== null) return this.#stream.end()
    if (!this.#isSettled) this.#refuse(`End of script output before headers: ${this.#script}`)
  }

  onError(error: UpstreamError): void {
    if (this.#stream !== null) return this.#stream.fail(new ResponseCut(error.code))
    if (this.#isSettled) return
    if (!error.code.endsWith('timeout')) return this.#refuse(`End of script output before headers: ${this.#script}`)
    this.#parts.log.write(this.#passing.request, 'error', '', `Script timed out before returning headers: ${this.#script}`)
    this.#report()
    this.#finish(httpStatus(504))
  }

  get #script(): string {
    const { uri } = this.#passing.request
    return uri.slice(uri.lastIndexOf('/') + 1)
  }

  #takeHead(head: CgiHead, start: Buffer): void {
    const { request, settings } = this.#passing
    const { config } = this.#parts
    if (head.invalidStatus !== null)
      return this.#refuse(`Invalid status line from script '${this.#script}': ${head.invalidStatus}`)
    const file = typeof config.sendfile === 'string' ? head.fields.get(config.sendfile.toLowerCase()) : undefined
    if (file !== undefined) return this.#replace(sendFile(request, file, this.#parts.log))
    const field = config.redirect === undefined ? 'location' : config.redirect === false ? null : config.redirect.toLowerCase()
    const location = field === null || head.status !== 200 ? undefined : head.fields.get(field)
    if (location?.startsWith('/') === true)
      return this.#replace(redirected(request, location, head.fields.get('content-type') ?? null))
    if (settings.overrides(head.status)) return this.#replace(overridden(request, head))
    takeHead(request, head)
    if (request.headerOnly || head.status === 204 || head.status === 304) return this.#replace(request.respond(''))
    this.#stream = new ResponseStream(this.#exchange, -1)
    if (start.length > 0) this.#stream.push(start)
    request.respond(this.#stream)
    this.#finish(OK)
  }

  /** Another response replaces that of the back end. */
  #replace(outcome: Outcome | Promise<Outcome>): void {
    this.#exchange.abort()
    this.#finish(outcome)
  }

  #refuse(text: string): void {
    this.#exchange.abort()
    this.#parts.log.write(this.#passing.request, 'error', '', text)
    this.#report()
    this.#finish(HTTP_INTERNAL_SERVER_ERROR)
  }

  #report(): void {
    const { log, address } = this.#parts
    log.write(this.#passing.request, 'error', 'AH00860', `error reading response headers from ${address}`)
  }

  #finish(outcome: Outcome | Promise<Outcome>): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#settle(outcome)
  }

  async #sendBody(): Promise<void> {
    try {
      await this.#exchange.sendBody(this.#passing.request.readBody())
    } catch {
      this.#exchange.abort()
      this.#stream?.fail(new ResponseCut('the request body broke off'))
      this.#parts.log.write(this.#passing.request, 'error', 'AH00859', 'receiving request body failed')
      this.#finish(HTTP_BAD_REQUEST)
    }
  }
}
