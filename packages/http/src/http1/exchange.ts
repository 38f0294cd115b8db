import { performance } from 'node:perf_hooks'
import { GRACE } from '../displacement-rank.ts'
import { HeaderFields } from '../header-fields.ts'
import { HTTP_1_0, HTTP_1_1 } from '../http-version.ts'
import type { Refusal } from '../refusal.ts'
import type { ReadTimeLimit } from '../settings.ts'
import { NO_TARGET, type ParsedTarget } from '../target.ts'
import type { WriteCallback } from '../transport.ts'
import { wireText } from '../wire-text.ts'
import { announcedTooLong, BodyDiscarder, BodySkipper } from './body-discarder.ts'
import type { HttpConnection } from './connection.ts'
import { type FilePart, FileSender, type FileSent } from './file-sender.ts'
import { type BodyConsumer, RequestBody } from './request-body.ts'

/** The progress of the response. */
const WAITING = 0
const STREAMING = 1
const SENDING_FILE = 2
const ANSWERED = 3

/** Up to this size a body is copied after its head, because one buffer is cheaper to write than two. */
const JOINED_BODY_MAX = 8 * 1024

/** Is notified of the end of a response. */
export interface ResponseListener {
  /** The last byte was passed to the transport. */
  responseSent(): void
}

const NOTHING = (): void => {}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

/**
 * One request and its response. All text is latin1: a text with a character above U+00FF is rejected with a
 * TypeError before any of it is sent. An exchange is answered once: by `send`, by `begin`, `write` and
 * `finish`, or by `sendFile`. The head that the host writes must match what it reports to the engine:
 * `Connection: close` if `persistent` is false. After the response, the object may be kept, but has no effect
 * any longer.
 */
export class Exchange {
  readonly connection: HttpConnection
  /** Without its line end, with single blanks: what `%r` shows. '' if not even a line was received. */
  requestLine: string
  method: string
  /** As sent. `uri` has its parts. */
  target: string
  uri: ParsedTarget
  /** As sent, `HTTP/0.9` for a simple request. */
  protocol: string
  /** 1001 for HTTP/1.1, 9 for HTTP/0.9; HTTP/1.2 to HTTP/9.9 count as 1002 to 9009. */
  version: number
  readonly fields: HeaderFields
  /**
   * From the target or the Host field: in lower case, without port and trailing dot; null if there is none.
   */
  hostname: string | null
  /** 0 if there is none. */
  hostPort: number
  /** Set if the request cannot be served: the host answers with this status, and the connection closes. */
  refusal: Refusal | null

  bodyFraming: 'none' | 'length' | 'chunked'
  /** -1 unless the framing is `length`. */
  contentLength: number
  /**
   * Time limit for the body: that of the connection's settings, unless the host replaces it by that of the
   * virtual host.
   */
  bodyLimit: ReadTimeLimit | null
  ambiguousFraming: boolean
  /** The client sent `Expect: 100-continue`. */
  expectContinue: boolean
  /** Requested by the version and the Connection field, unless the framing prevents it. */
  persistentRequested: boolean
  sentKeepAliveToken: boolean

  /** When the request line was complete: ms since the epoch. */
  receivedAt: number
  /** The same moment on the clock of performance.now, in microseconds. */
  receivedAtUs: number

  /** The connection closed before the response was complete. Data sent from now on is dropped. */
  aborted: boolean
  /** Called after `write` returned false, when all pending writes are complete. */
  onDrain: (() => void) | null
  /** Bytes of this exchange including heads and framing. */
  bytesReceived: number
  bytesSent: number

  #body: RequestBody | null
  #gone: Set<() => void> | null
  #state: number
  #chunked: boolean
  #continueSent: boolean

  constructor(connection: HttpConnection, receivedAt: number, receivedAtUs: number) {
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
  }

  /** The response is complete on this side. */
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

  /** The trailer fields of a chunked body, after it was read. */
  get trailers(): HeaderFields | null {
    return this.#body === null || !this.#body.ended ? null : this.#body.trailers
  }

  /** Whether all bytes of the request were taken from the connection. */
  get requestEnded(): boolean {
    if (this.bodyFraming === 'none' || this.contentLength === 0) return true
    return this.#body?.ended === true
  }

  /**
   * Whether the connection can serve another request after this one, if the host agrees: not after a
   * rejection, ambiguous framing, an unreadable body, or while the client waits for a 100 (Continue) that was
   * not sent. In these cases the engine closes anyway; the head should announce it.
   */
  get persistencePossible(): boolean {
    if (this.refusal !== null || !this.persistentRequested || this.#body?.failed === true) return false
    return !this.awaitsContinue
  }

  /** The client waits for a 100 (Continue) that was not sent; it may or may not send its body. */
  get awaitsContinue(): boolean {
    return this.expectContinue && !this.#continueSent && this.version >= HTTP_1_1
  }

  /**
   * Calls the listener if the connection closes before the response is complete; immediately if it has closed already.
   * @returns removes the listener
   */
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
   * Reads the body, once. The first read sends 100 (Continue) if the client waits for it, even if part of the
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

  /** Continues after a `'pause'`. */
  resumeBody(): void {
    this.#body?.resume()
  }

  /**
   * Reads the body, or what another consumer has left of it, and discards it. `done` is called synchronously if there is no body or all of it has
   * arrived. `limit` in bytes, 0 = none: a longer body is rejected with 413, before the client is asked to
   * send it if its length was announced.
   */
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

  /** Sends an interim response (1xx other than 101): status line and fields, ending in an empty line. */
  interim(statusLineAndHeaders: string): void {
    if (this.#state === WAITING && this.version >= HTTP_1_1) this.writeRaw(wireText(statusLineAndHeaders), null)
  }

  /**
   * Sends a complete response. `head` ends with an empty line; '' for HTTP/0.9, or if `body` contains the
   * head as well.
   * @param listener is notified before the next request of the connection is read
   */
  send(head: string, body: Buffer | string | null, persistent: boolean, listener: ResponseListener | null = null): void {
    wireText(head)
    if (typeof body === 'string') wireText(body)
    this.#begin(ANSWERED)
    if (body === null || body.length === 0) {
      if (head !== '') this.writeRaw(head, null)
    } else if (head === '') {
      this.writeRaw(body, null)
    } else if (typeof body === 'string') {
      this.writeRaw(head + body, null)
    } else if (body.length <= JOINED_BODY_MAX) {
      this.writeRaw(join(head, body), null)
    } else {
      const { transport } = this.connection
      transport.cork()
      this.writeRaw(head, null)
      this.writeRaw(body, null)
      transport.uncork()
    }
    listener?.responseSent()
    this.connection.answered(this, persistent)
  }

  /**
   * Begins a response that is sent in pieces. Data written in the same turn of the loop is sent together with
   * the head.
   */
  begin(head: string, framing: 'identity' | 'chunked'): void {
    wireText(head)
    this.#begin(STREAMING)
    this.#chunked = framing === 'chunked'
    const { transport } = this.connection
    transport.cork()
    process.nextTick(uncork, transport)
    if (head !== '') this.writeRaw(head, null)
  }

  /** Sends another piece; a string is latin1. False means: wait for onDrain. */
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

  /** @param listener is notified before the next request of the connection is read */
  finish(persistent: boolean, listener: ResponseListener | null = null): void {
    if (this.#state !== STREAMING) throw new Error('finish without begin')
    if (this.#chunked) this.writeRaw('0\r\n\r\n', null)
    this.#state = ANSWERED
    listener?.responseSent()
    this.connection.answered(this, persistent)
  }

  /**
   * Responds with parts of files, in constant memory. `done` receives whether everything was passed to the
   * system, before the next request is processed. A file that is shorter than announced, cannot be read or
   * has another fault ends the connection.
   */
  sendFile(head: string, parts: readonly FilePart[], persistent: boolean, done: FileSent): void {
    wireText(head)
    for (const { prefix, suffix } of parts) {
      if (typeof prefix === 'string') wireText(prefix)
      if (typeof suffix === 'string') wireText(suffix)
    }
    this.#begin(SENDING_FILE)
    new FileSender(this, head, parts, persistent, done).start()
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
  complete(persistent: boolean): void {
    this.#state = ANSWERED
    this.connection.answered(this, persistent)
  }

  /** For the engine: discards the rest of the body between this request and the next. */
  skipBody(): void {
    this.#body ??= new RequestBody(this)
    this.#body.takeOver(new BodySkipper(this.connection))
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

function uncork(transport: HttpConnection['transport']): void {
  transport.uncork()
}
