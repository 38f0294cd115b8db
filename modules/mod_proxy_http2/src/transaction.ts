import { STATUS_CODES } from 'node:http'
import {
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type ModuleLog,
  OK,
  type Outcome,
  type ProxyPassing,
  type Request,
  ResponseCut,
} from '@gatewright/api'
import type { ClientListener, ClientStream, ResponseBlock, SessionFault } from '@gatewright/http2/client'
import {
  type FieldMapping,
  hasNoBody,
  type OutgoingBody,
  overridden,
  ProgressWatch,
  ResponseMessage,
  ResponseStream,
  relayedResponseFields,
  type StreamedExchange,
  takeHead,
  type Watched,
} from '@gatewright/upstream'
import type { Link } from './links.ts'

/** The request to send, and how. */
export interface TransactionParts {
  readonly link: Link
  /** Pseudo fields first. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: OutgoingBody
  /** Whether other requests may use the connection. */
  readonly keepsConnection: boolean
  /** Whether a request that the back end has certainly not begun may be sent again. */
  readonly mayRepeat: boolean
  /** Of the back end, for messages. */
  readonly address: string
  readonly log: ModuleLog
}

/** The request has to be sent again, by another connection. */
export const AGAIN = 'again'

/** As in httpd, the fields of a back end that was asked for the client's host name what the client knows. */
const UNCHANGED: FieldMapping = { mapUrl: (url) => url, mapCookie: (value) => value }

/** The major version times 1000. */
const HTTP_2 = 2000

const BAD_GATEWAY: Outcome = httpStatus(502)

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Bytes of a response that a page of this server replaces: more are not waited for. */
const DISCARDED_MAX = 256 * 1024

/** One request to a back end and its response, which is left in the client's request. */
export class Transaction implements ClientListener, StreamedExchange, Watched {
  trailers: StreamedExchange['trailers'] = null
  readonly #passing: ProxyPassing
  readonly #parts: TransactionParts
  readonly #timeout: number
  readonly #progress: ProgressWatch
  readonly #startedAt: number
  readonly #isKept: boolean
  #settle: (outcome: Outcome | typeof AGAIN) => void = () => {}
  #fail: (error: unknown) => void = () => {}
  #request: ClientStream | null = null
  #stream: ResponseStream | null = null
  #message: ResponseMessage | null = null
  #isSettled = false
  #isDone = false
  /** A page of this server replaces the response. */
  #isReplaced = false
  /** The client was asked for more of its body than was read before: it cannot be sent again. */
  #hasReadOn = false
  #drained: (() => void) | null = null

  constructor(passing: ProxyPassing, parts: TransactionParts) {
    const { worker, settings } = passing
    this.#passing = passing
    this.#parts = parts
    this.#timeout = worker.parameters.timeout ?? settings.timeout
    this.#progress = new ProgressWatch(this)
    this.#startedAt = performance.now() * 1000
    this.#isKept = parts.link.begun > 0
  }

  /** @returns the outcome, or that the request has to be sent again */
  run(): Promise<Outcome | typeof AGAIN> {
    const { link, fields, body } = this.#parts
    const { request } = this.#passing
    return new Promise((resolve, reject) => {
      this.#settle = resolve
      this.#fail = reject
      const { connection } = link
      // Head and short body leave in one write.
      connection.cork()
      const stream = link.request(request.method, fields, body.kind === 'none', this)
      this.#request = stream
      connection.owner.clock.add(this, this.#timeout)
      request.onDone(() => this.#passing.count(stream.bytesSent, stream.bytesReceived))
      request.whenGone(() => this.#clientGone())
      if (body.whole !== null) stream.finish(body.whole)
      else if (body.kind !== 'none') void this.#sendBody(stream)
      connection.uncork()
    })
  }

  /** For the watch of progress: others send by the same connection, so only what waits for this request counts. */
  get unsentBytes(): number {
    const stream = this.#request
    if (stream === null) return 0
    return stream.unsentBytes + (stream.waitsForConnection ? this.#parts.link.connection.unsentBytes : 0)
  }

  onInterim(block: ResponseBlock): void {
    this.#progress.made = true
    // The client gets its 100 (Continue) when its body is read.
    if (block.status === 100) return
    const message = messageOf(block)
    try {
      this.#passing.request.sendInterim(message.status, STATUS_CODES[message.status] ?? '', relayedResponseFields(message))
    } catch {
      // A field that is not valid is not relayed, and an interim response is only a hint.
    }
  }

  onHead(block: ResponseBlock): void {
    this.#progress.made = true
    const { request, settings } = this.#passing
    const message = messageOf(block)
    this.#message = message
    if (settings.overrides(message.status)) {
      this.#isReplaced = true
      const outcome = overridden(request, message)
      // HTTP/2 has no phrases: the client gets that of the status.
      request.reason = null
      this.#finish(outcome)
      return
    }
    if (message.status < 300 && wantsTunnel(request)) return this.#refuseTunnel()
    takeHead(this.#passing, message, this.#passing.settings.preserveHost ? UNCHANGED : this.#passing)
    this.#stream = new ResponseStream(this, message.contentLength)
    // A response that fails at once can still be replaced by an error.
    if (!hasNoBody(request, message)) setImmediate(() => this.#respond())
  }

  /** HTTP/2 to a back end leads to no tunnel: a page of this server replaces the response. */
  #refuseTunnel(): void {
    this.#isReplaced = true
    this.#finish(BAD_GATEWAY)
  }

  onData(chunk: Buffer): void {
    this.#progress.made = true
    if (!this.#isReplaced) {
      this.#stream?.push(chunk)
      this.#respond()
    } else if ((this.#request?.bytesReceived ?? 0) > DISCARDED_MAX) this.abort()
  }

  onEnd(trailers: StreamedExchange['trailers']): void {
    this.trailers = trailers
    this.#leave()
    this.#parts.link.requestEnded(this.#parts.keepsConnection)
    if (this.#isBodiless) this.#stream = new ResponseStream(this, 0)
    this.#stream?.end()
    this.#respond()
  }

  /** A response that ended with its head: the client gets its length, which is 0. */
  get #isBodiless(): boolean {
    if (this.#isSettled || this.#stream === null || this.#message === null || this.trailers !== null) return false
    return this.#request?.bytesReceived === 0 && !hasNoBody(this.#passing.request, this.#message)
  }

  onFault(fault: SessionFault): void {
    this.#leave()
    // A reset is about this request; a refused one should not come back to the same connection.
    this.#parts.link.requestEnded(this.#parts.keepsConnection && fault.kind === 'reset' && !fault.isUnprocessed)
    if (this.#isReplaced) return
    if (this.#message !== null && this.#stream !== null && hasNoBody(this.#passing.request, this.#message)) {
      this.#stream.end()
      return this.#respond()
    }
    if (fault.kind === 'broken') return this.#broken(fault)
    if (this.#isRepeatable(fault)) {
      this.#isSettled = true
      return this.#settle(AGAIN)
    }
    if (!fault.isUnprocessed) this.#passing.sent()
    this.#breakOff(fault.message, fault.kind === 'closed' || fault.kind === 'protocol' ? HTTP_SERVICE_UNAVAILABLE : BAD_GATEWAY)
  }

  onDrain(): void {
    this.#progress.made = true
    this.#drained?.()
  }

  pause(): void {
    this.#request?.pause()
  }

  resume(): void {
    this.#progress.made = true
    this.#request?.resume()
  }

  /**
   * Ends the exchange. Its connection takes no other one, because it may be broken, and because back ends take many resets on
   * one connection for an attack; exchanges that are in progress on it are completed.
   */
  abort(): void {
    if (this.#isDone) return
    this.#leave()
    this.#request?.cancel()
    this.#parts.link.requestEnded(false)
  }

  tick(now: number): void {
    const stalled = this.#progress.stalled(now, this.#timeout, this.#request?.isServersTurn === true)
    if (stalled === 'no') return
    this.abort()
    if (this.#isReplaced) return
    this.#passing.timedOut()
    this.#passing.sent()
    this.#breakOff(stalled === 'sending' ? 'the back end takes nothing' : 'the back end sends nothing', HTTP_SERVICE_UNAVAILABLE)
  }

  /**
   * RFC 9113 section 8.7, and RFC 9110 section 9.2.2: a request that was not begun, or one that changes nothing and has met a
   * connection that was closed in the same moment.
   */
  #isRepeatable(fault: SessionFault): boolean {
    if (!this.#parts.mayRepeat || this.#hasReadOn || this.#message !== null) return false
    if (fault.isUnprocessed) return true
    const { request } = this.#passing
    return fault.kind === 'closed' && this.#isKept && SAFE_METHODS.has(request.method) && this.#parts.body.kind === 'none'
  }

  /** The response cannot be completed: an error replaces it, or the client's connection shows that it is incomplete. */
  #breakOff(text: string, outcome: Outcome): void {
    const { log, address } = this.#parts
    const { request } = this.#passing
    log.write(request, 'error', '', `response of ${address} failed: ${text}`)
    if (this.#isSettled) return this.#stream?.fail(new ResponseCut(text))
    this.#forgetHead()
    this.#finish(outcome)
  }

  /** What a back end sends must not end the process: the request fails, and the error is logged with it. */
  #broken(fault: SessionFault): void {
    if (this.#isSettled) return this.#stream?.fail(new ResponseCut('the response cannot be relayed'))
    this.#isSettled = true
    this.#fail(fault.cause)
  }

  #forgetHead(): void {
    const { request } = this.#passing
    this.#stream = null
    request.headersOut.clear()
    request.status = 200
    request.reason = null
    request.contentType = null
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
    this.abort()
    this.#finish(OK)
  }

  #leave(): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#drained?.()
    const { owner } = this.#parts.link.connection
    owner.clock.remove(this)
    const latency = this.#message === null ? -1 : performance.now() * 1000 - this.#startedAt
    owner.exchangeEnded(this.#request?.bytesSent ?? 0, this.#request?.bytesReceived ?? 0, latency)
  }

  /** Sends a long body at the pace of the back end. */
  async #sendBody(stream: ClientStream): Promise<void> {
    const { start, rest } = this.#parts.body
    try {
      for (const chunk of start) await this.#write(stream, chunk)
      for (;;) {
        if (this.#isDone) return
        this.#hasReadOn = true
        const next = await rest?.next()
        if (next === undefined || next.done === true) break
        await this.#write(stream, next.value)
      }
      this.#progress.made = true
      stream.finish(null)
    } catch (error) {
      this.#bodyFailed(error)
    }
  }

  async #write(stream: ClientStream, chunk: Uint8Array): Promise<void> {
    if (this.#isDone) return
    this.#progress.made = true
    // The engine of the server may use the bytes again before they are sent.
    if (stream.write(Buffer.from(chunk))) return
    await new Promise<void>((resolve) => {
      this.#drained = () => {
        this.#drained = null
        resolve()
      }
    })
  }

  /** The client left, or sent something that is no body. */
  #bodyFailed(error: unknown): void {
    if (this.#isDone) return
    this.abort()
    const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 400
    this.#stream?.fail(new ResponseCut('the request body broke off'))
    if (this.#isSettled) return
    this.#forgetHead()
    this.#finish(this.#passing.fail(status, 'Error reading request body'))
  }
}

/** Whether a response of success would begin a tunnel: an extended CONNECT (RFC 8441) has the fields of HTTP/1.1 here. */
function wantsTunnel({ version, headersIn }: Request): boolean {
  return version >= HTTP_2 && headersIn.has('Upgrade')
}

/** A head in the form in which those of HTTP/1.1 are relayed. */
function messageOf(block: ResponseBlock): ResponseMessage {
  const message = new ResponseMessage(block.fields())
  message.version = 2000
  message.status = block.status
  message.reason = null
  message.framing = block.contentLength < 0 ? 'close' : 'length'
  message.contentLength = block.contentLength
  return message
}
