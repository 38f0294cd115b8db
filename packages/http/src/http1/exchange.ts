import { performance } from 'node:perf_hooks'
import type { BodyConsumer } from '../body-consumer.ts'
import { GRACE } from '../displacement-rank.ts'
import type { Exchange, ResponseImages, ResponseListener, WireImage } from '../exchange.ts'
import type { FilePart, FileSent } from '../file-part.ts'
import { HeaderFields } from '../header-fields.ts'
import { HTTP_0_9, HTTP_1_0, HTTP_1_1 } from '../http-version.ts'
import type { Refusal } from '../refusal.ts'
import type { KeepAliveTerms, ResponseHead } from '../response-head.ts'
import type { ReadTimeLimit } from '../settings.ts'
import { NO_TARGET, type ParsedTarget } from '../target.ts'
import type { WriteCallback } from '../transport.ts'
import { wireText } from '../wire-text.ts'
import { announcedTooLong, BodyDiscarder, BodySkipper } from './body-discarder.ts'
import type { Http1Connection } from './connection.ts'
import { hasConnectionOption } from './connection-options.ts'
import { FileSender } from './file-sender.ts'
import { connectionFields, containsClose, headBeforeOwn, keepAliveParameters } from './head-text.ts'
import { Http1Image } from './image.ts'
import { RequestBody } from './request-body.ts'

/** The progress of the response. */
const WAITING = 0
const STREAMING = 1
const SENDING_FILE = 2
const ANSWERED = 3

/** Up to this size a body is copied after its head, because one buffer is cheaper to write than two. */
const JOINED_BODY_MAX = 8 * 1024

const NOTHING = (): void => {}

const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const LAST_CHUNK = '0\r\n\r\n'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

/**
 * One request of HTTP/1.x and its response: writes heads with the fields about the connection, frames bodies,
 * and asks for request bodies with 100 (Continue).
 */
export class Http1Exchange implements Exchange, ResponseImages {
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

  aborted: boolean
  onDrain: (() => void) | null
  bytesReceived: number
  bytesSent: number

  #body: RequestBody | null
  #gone: Set<() => void> | null
  #state: number
  #chunked: boolean
  #continueSent: boolean
  #persistent: boolean
  /** A copy of the host's terms, if the client asked for them by `Connection: keep-alive`. */
  #keepAlive: KeepAliveTerms | null

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
    this.aborted = false
    this.onDrain = null
    this.bytesReceived = 0
    this.bytesSent = 0
    this.#body = null
    this.#gone = null
    this.#state = WAITING
    this.#chunked = false
    this.#continueSent = false
    this.#persistent = false
    this.#keepAlive = null
  }

  get answered(): boolean {
    return this.#state === ANSWERED
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

  whenGone(listener: () => void): () => void {
    if (this.aborted) {
      listener()
      return NOTHING
    }
    const listeners = (this.#gone ??= new Set())
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  /**
   * The first read sends 100 (Continue) if the client waits for it, even if part of the
   * body has already arrived, as httpd does; not to versions before 1.1, and not after the start of a
   * response.
   */
  readBody(consumer: BodyConsumer): void {
    if (this.refusal !== null || this.requestEnded) {
      consumer.onEnd()
      return
    }
    this.#sendContinue()
    this.#body ??= new RequestBody(this)
    this.#body.start(consumer)
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
    this.#sendContinue()
    const discarder = new BodyDiscarder(body, limit, done)
    if (body.started) body.takeOver(discarder)
    else body.start(discarder)
  }

  refuseBody(reason: Refusal): void {
    this.#body?.fail(reason)
  }

  get persistent(): boolean {
    return this.#persistent
  }

  get takesTrailers(): boolean {
    const codings = this.version >= HTTP_1_1 ? this.fields.get('te') : undefined
    return codings !== undefined && hasConnectionOption(codings, 'trailers')
  }

  get images(): ResponseImages {
    return this
  }

  /** Sends an interim response (1xx other than 101). */
  interim(status: number, reason: string, fields: string): void {
    if (this.#state !== WAITING || this.version < HTTP_1_1) return
    this.writeRaw(wireText(`HTTP/1.1 ${status} ${reason}\r\n${fields}\r\n`), null)
  }

  respond(head: ResponseHead, body: Buffer | string | null, listener: ResponseListener | null): void {
    const text = wireText(this.#headText(head))
    if (typeof body === 'string') wireText(body)
    this.#begin(ANSWERED)
    if (body === null || body.length === 0) {
      if (text !== '') this.writeRaw(text, null)
    } else if (text === '') {
      this.writeRaw(body, null)
    } else if (typeof body === 'string') {
      this.writeRaw(text + body, null)
    } else if (body.length <= JOINED_BODY_MAX) {
      this.writeRaw(join(text, body), null)
    } else {
      const { transport } = this.connection
      transport.cork()
      this.writeRaw(text, null)
      this.writeRaw(body, null)
      transport.uncork()
    }
    this.#ended(listener)
  }

  begin(head: ResponseHead): void {
    const text = wireText(this.#headText(head))
    this.#begin(STREAMING)
    const { transport } = this.connection
    transport.cork()
    process.nextTick(uncork, transport)
    if (text !== '') this.writeRaw(text, null)
  }

  write(chunk: Buffer | string): boolean {
    if (this.#state !== STREAMING) throw new Error('write without begin')
    if (chunk.length === 0) return true
    if (typeof chunk === 'string') wireText(chunk)
    if (!this.#chunked) return this.writeRaw(chunk, null)
    const { transport } = this.connection
    transport.cork()
    this.writeRaw(`${chunk.length.toString(16)}\r\n`, null)
    this.writeRaw(chunk, null)
    const room = this.writeRaw('\r\n', null)
    transport.uncork()
    return room
  }

  finish(trailers: string, listener: ResponseListener | null): void {
    if (this.#state !== STREAMING) throw new Error('finish without begin')
    if (this.#chunked) this.writeRaw(trailers !== '' && this.takesTrailers ? `0\r\n${wireText(trailers)}\r\n` : LAST_CHUNK, null)
    this.#state = ANSWERED
    this.#ended(listener)
  }

  sendFile(head: ResponseHead, parts: readonly FilePart[], done: FileSent): void {
    const text = wireText(this.#headText(head))
    for (const { prefix, suffix } of parts) {
      if (typeof prefix === 'string') wireText(prefix)
      if (typeof suffix === 'string') wireText(suffix)
    }
    this.#begin(SENDING_FILE)
    new FileSender(this, text, parts, done).start()
  }

  breakOff(): void {
    this.remainsIncomplete()
    this.connection.destroy()
  }

  ownField(name: string): string | null {
    if (name === 'transfer-encoding') return this.#chunked ? 'chunked' : null
    if (name === 'connection' && !this.#persistent) return 'close'
    if (!this.#persistent || !this.sentKeepAliveToken) return null
    if (name === 'keep-alive') return this.#keepAlive === null ? null : keepAliveParameters(this.#keepAlive)
    return name === 'connection' ? 'Keep-Alive' : null
  }

  makeImage(head: ResponseHead, body: Buffer): Http1Image {
    this.#decide(head)
    const before = headBeforeOwn(head)
    const connection = this.#connectionFields(head.connectionOptions)
    return new Http1Image(before, connection, `${head.contentFields}\r\n`, body)
  }

  imageBytes(image: WireImage, keepAlive: KeepAliveTerms | null, version: number): Buffer | null {
    if (!(image instanceof Http1Image)) return null
    this.#keepTerms(keepAlive)
    this.#persistent = this.#keeps(keepAlive, version, false)
    return image.bytesWith(this.#connectionFields(null))
  }

  sendImage(bytes: Buffer, listener: ResponseListener | null): void {
    this.#begin(ANSWERED)
    this.writeRaw(bytes, null)
    this.#ended(listener)
  }

  /** For the engine: writes bytes of the response and counts them. */
  writeRaw(data: Buffer | string, done: WriteCallback | null): boolean {
    if (this.aborted || this.refusal?.silent === true) {
      if (done !== null) process.nextTick(done, this.aborted ? new Error('connection closed') : null)
      return true
    }
    this.bytesSent += data.length
    this.connection.bytesOut += data.length
    return this.connection.transport.write(data, done)
  }

  /** For the engine: the last byte was passed to the transport. */
  complete(): void {
    this.#state = ANSWERED
    this.connection.reading.answered(this, this.#persistent)
  }

  /** For the engine: the response and the connection end before its last byte. */
  remainsIncomplete(): void {
    this.#persistent = false
  }

  /** For the engine: discards the rest of the body between this request and the next. */
  skipBody(): void {
    this.#body ??= new RequestBody(this)
    this.#body.takeOver(new BodySkipper(this.connection.reading))
  }

  /** For the engine: the connection has closed. */
  abort(): void {
    if (this.aborted) return
    this.aborted = true
    this.#body?.abandon()
    const listeners = this.#gone
    this.#gone = null
    if (listeners !== null && this.#state !== ANSWERED) for (const listener of listeners) listener()
  }

  #sendContinue(): void {
    if (!this.expectContinue || this.#continueSent || this.version < HTTP_1_1 || this.#state !== WAITING) return
    this.#continueSent = true
    this.writeRaw(CONTINUE, null)
  }

  /** Decides how the response ends, and writes the head accordingly; '' for HTTP/0.9. */
  #headText(head: ResponseHead): string {
    this.#decide(head)
    if (head.version === HTTP_0_9) return ''
    const own = this.#connectionFields(head.connectionOptions)
    return `${headBeforeOwn(head)}${own}${this.#chunked ? CHUNKED : ''}${head.contentFields}\r\n`
  }

  /**
   * A body of unknown length is chunked for HTTP/1.1. It ends with the connection for older clients, and for
   * a client that still waits for a 100 (Continue), whose connection is not reused.
   */
  #decide({ end, keepAlive, version, claimsHttp10, connectionOptions: options }: ResponseHead): void {
    const isMarked = end !== 'stated'
    const canMark = version >= HTTP_1_1 && !this.awaitsContinue
    const keeps = (canMark || !isMarked) && this.#keeps(keepAlive, version, claimsHttp10)
    this.#chunked = isMarked && canMark && (keeps || end === 'marked')
    this.#persistent = keeps && (options === null || !containsClose(options))
    this.#keepTerms(keepAlive)
  }

  #keeps(terms: KeepAliveTerms | null, version: number, claimsHttp10: boolean): boolean {
    if (terms === null || !this.persistencePossible || version === HTTP_0_9 || claimsHttp10) return false
    if (version < HTTP_1_1 && !this.sentKeepAliveToken) return false
    return !this.connection.draining
  }

  /** The host fills its terms again for the next response, and logs ask for those of this one. */
  #keepTerms(terms: KeepAliveTerms | null): void {
    this.#keepAlive = terms === null || !this.sentKeepAliveToken ? null : { ...terms }
  }

  #connectionFields(options: string | null): string {
    return connectionFields(options, this.#persistent, this.#keepAlive)
  }

  #ended(listener: ResponseListener | null): void {
    listener?.responseSent()
    this.connection.reading.answered(this, this.#persistent)
  }

  #begin(state: number): void {
    if (this.#state !== WAITING) throw new Error('the request was answered before')
    this.#state = state
  }
}

function join(head: string, body: Buffer): Buffer {
  const joined = Buffer.allocUnsafe(head.length + body.length)
  joined.write(head, 0, 'latin1')
  body.copy(joined, head.length)
  return joined
}

function uncork(transport: Http1Connection['transport']): void {
  transport.uncork()
}
