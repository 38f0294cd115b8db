import { performance } from 'node:perf_hooks'
import type { BodyConsumer, BodyRequest } from '../body-consumer.ts'
import { GRACE } from '../displacement-rank.ts'
import type { ReceivedRequest } from '../exchange.ts'
import { HeaderFields } from '../header-fields.ts'
import { HTTP_1_0, HTTP_1_1 } from '../http-version.ts'
import type { Refusal } from '../refusal.ts'
import type { ReadTimeLimit } from '../settings.ts'
import { NO_TARGET, type ParsedTarget } from '../target.ts'
import { announcedTooLong, BodyDiscarder, BodySkipper } from './body-discarder.ts'
import type { Http1Connection } from './connection.ts'
import { RequestBody } from './request-body.ts'

/**
 * One request of HTTP/1.x, without its response: its head as the readers of heads fill it in, and its body,
 * for which it asks with 100 (Continue).
 */
export abstract class Http1Request implements ReceivedRequest {
  readonly connection: Http1Connection
  requestLine: string
  method: string
  target: string
  uri: ParsedTarget
  protocol: string
  version: number
  readonly fields: HeaderFields
  hostname: string | null
  hostPort: number
  refusal: Refusal | null

  bodyFraming: 'none' | 'length' | 'chunked'
  /** -1 unless the framing is `length`. */
  contentLength: number
  bodyLimit: ReadTimeLimit | null
  ambiguousFraming: boolean
  expectContinue: boolean
  /** Requested by the version and the Connection field, unless the framing prevents it. */
  persistentRequested: boolean
  sentKeepAliveToken: boolean

  /** When the request line was complete. */
  receivedAt: number
  receivedAtUs: number
  bytesReceived: number
  abstract readonly bytesSent: number

  #body: RequestBody | null
  #continueSent: boolean

  constructor(connection: Http1Connection, receivedAt: number, receivedAtUs: number) {
    this.connection = connection
    this.requestLine = ''
    this.method = ''
    this.target = ''
    this.uri = NO_TARGET
    this.protocol = ''
    this.version = HTTP_1_0
    this.fields = new HeaderFields()
    this.hostname = null
    this.hostPort = 0
    this.refusal = null
    this.bodyFraming = 'none'
    this.contentLength = -1
    this.bodyLimit = connection.settings.bodyLimit
    this.ambiguousFraming = false
    this.expectContinue = false
    this.persistentRequested = false
    this.sentKeepAliveToken = false
    this.receivedAt = receivedAt
    this.receivedAtUs = receivedAtUs
    this.bytesReceived = 0
    this.#body = null
    this.#continueSent = false
  }

  /** Bytes per second at which the request has arrived so far; Infinity until a rate can be measured. */
  get arrivalPace(): number {
    const age = performance.now() - this.receivedAtUs / 1000
    return age < GRACE ? Number.POSITIVE_INFINITY : (this.bytesReceived * 1000) / age
  }

  /** The body being read or skipped; null before that, and without one. */
  get body(): RequestBody | null {
    return this.#body
  }

  get hasBody(): boolean {
    return this.bodyFraming !== 'none'
  }

  get trailers(): HeaderFields | null {
    return this.#body === null || !this.#body.ended ? null : this.#body.trailers
  }

  get requestEnded(): boolean {
    if (this.#body?.isTunnel === true) return this.#body.ended
    if (this.bodyFraming === 'none' || this.contentLength === 0) return true
    return this.#body?.ended === true
  }

  /**
   * Whether the connection can serve another request after this one, if the host agrees: not after a
   * rejection, ambiguous framing, an unreadable body, or while the client waits for a 100 (Continue) that was
   * not sent.
   */
  get persistencePossible(): boolean {
    if (this.refusal !== null || !this.persistentRequested || this.#body?.failed === true) return false
    return !this.awaitsContinue
  }

  get awaitsContinue(): boolean {
    return this.expectContinue && !this.#continueSent && this.version >= HTTP_1_1
  }

  /**
   * The first read sends 100 (Continue) if the client waits for it, by default even if part of the
   * body has already arrived, as httpd does; not to versions before 1.1, and not after the start of a
   * response.
   */
  readBody(consumer: BodyConsumer, asks: BodyRequest = 'at-once'): void {
    if (this.refusal !== null || this.requestEnded) {
      consumer.onEnd()
      return
    }
    if (asks === 'at-once') this.#askForBody()
    const body = (this.#body ??= new RequestBody(this))
    body.start(consumer)
    if (asks === 'at-once') return
    if (body.wantsInput && !body.ended) this.#askForBody()
    else this.#continueSent = true
  }

  resumeBody(): void {
    this.#body?.resume()
  }

  discardBody(limit: number, done: (refusal: Refusal | null) => void): void {
    if (this.refusal !== null || this.requestEnded) {
      done(null)
      return
    }
    const body = (this.#body ??= new RequestBody(this))
    if (limit > 0 && this.contentLength > limit) {
      const reason = announcedTooLong(this.fields.get('content-length') ?? '', limit)
      body.fail(reason)
      done(reason)
      return
    }
    // A rejected body is not read.
    if (body.failed) {
      done(null)
      return
    }
    this.#askForBody()
    const discarder = new BodyDiscarder(body, limit, done)
    if (body.started) body.takeOver(discarder)
    else body.start(discarder)
  }

  refuseBody(reason: Refusal): void {
    this.#body?.fail(reason)
  }

  /** See {@link Exchange.interim}. */
  abstract interim(status: number, reason: string, fields: string): boolean

  /** For the engine: everything that follows the request goes to the consumer, until the client closes its side. */
  protected openTunnel(client: BodyConsumer): void {
    this.#body = new RequestBody(this, 'tunnel')
    this.#body.start(client)
  }

  /** For the engine: discards the rest of the body between this request and the next. */
  skipBody(): void {
    this.#body ??= new RequestBody(this)
    this.#body.takeOver(new BodySkipper(this.connection.reading))
  }

  #askForBody(): void {
    if (this.awaitsContinue) this.#continueSent = this.interim(100, 'Continue', '')
  }
}
