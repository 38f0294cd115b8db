import {
  CHUNK_DATA,
  ChunkedDecoder,
  COMPLETE,
  type HeaderFields,
  HTTP_0_9,
  Input,
  type MessageLimits,
  NEED_MORE,
} from '@gatewright/http/messages'
import type { ClientRequest } from './client-request.ts'
import type { ConnectionSink, UpstreamConnection } from './connection.ts'
import type { Watched } from './exchange-clock.ts'
import { ProgressWatch } from './progress-watch.ts'
import { RequestWriter } from './request-writer.ts'
import { ResponseHead } from './response-head.ts'
import type { ResponseFraming, ResponseMessage } from './response-message.ts'
import { UpstreamError, type UpstreamFault } from './upstream-error.ts'

/** Receives a response. No calls follow onEnd, onUpgrade and onError. */
export interface ResponseListener {
  /** A 1xx, but not the 101 of a change of protocol. */
  onInterim(message: ResponseMessage): void
  onHead(message: ResponseMessage): void
  /** Another part of the body, valid only during the call. */
  onData(chunk: Buffer): void
  /** The response is complete; its connection was released or closed. */
  onEnd(): void
  /**
   * The connection now speaks another protocol and is the listener's, which sets its sink.
   * @param rest what has arrived after the head
   */
  onUpgrade?(message: ResponseMessage, connection: UpstreamConnection, rest: Buffer): void
  onError(error: UpstreamError): void
  /** After `write` returned false: all of it was sent. */
  onDrain?(): void
}

const HEAD = 0
const BODY = 1
const DONE = 2

/**
 * One request to a backend over HTTP/1.1 and its response. The request is sent by the constructor; its body may follow,
 * also while the response arrives. The connection returns to its pool when both are complete.
 */
export class HttpClientExchange implements ConnectionSink, Watched {
  readonly connection: UpstreamConnection
  /** When it began, in microseconds of the clock of performance.now. */
  readonly startedAt: number
  /** When the head of the response was complete; 0 before. */
  headAt: number
  /** Bytes of the response, heads and framing included. */
  bytesReceived: number
  readonly #request: ClientRequest
  readonly #listener: ResponseListener
  readonly #writer: RequestWriter
  readonly #limits: MessageLimits
  readonly #head: ResponseHead
  readonly #input: Input
  readonly #progress: ProgressWatch
  #state: typeof HEAD | typeof BODY | typeof DONE
  #message: ResponseMessage | null
  #framing: ResponseFraming
  #decoder: ChunkedDecoder | null
  #remaining: number
  #interim: number
  #dataSeen: boolean
  #paused: boolean
  #feeding: boolean

  constructor(connection: UpstreamConnection, request: ClientRequest, listener: ResponseListener) {
    this.connection = connection
    this.startedAt = performance.now() * 1000
    this.headAt = 0
    this.bytesReceived = 0
    this.#request = request
    this.#listener = listener
    this.#limits = {
      limitRequestLine: request.limits.statusLine,
      limitRequestFieldSize: request.limits.fieldSize,
      limitRequestFields: request.limits.fields,
      strict: true,
    }
    this.#head = new ResponseHead(request, this.#limits)
    this.#input = new Input()
    this.#progress = new ProgressWatch(connection)
    this.#state = HEAD
    this.#message = null
    this.#framing = 'none'
    this.#decoder = null
    this.#remaining = 0
    this.#interim = 0
    this.#dataSeen = false
    this.#paused = false
    this.#feeding = false
    connection.sink = this
    this.#writer = new RequestWriter(connection, request)
    const { timeout, pingTimeout } = request
    const limit = pingTimeout > 0 && (timeout === 0 || pingTimeout < timeout) ? pingTimeout : timeout
    if (limit > 0) connection.owner.clock.add(this, limit)
  }

  /** The request, with its body, was passed to the connection. */
  get requestEnded(): boolean {
    return this.#writer.ended
  }

  /** No further calls of the listener follow. */
  get ended(): boolean {
    return this.#state === DONE
  }

  get bytesSent(): number {
    return this.#writer.bytesSent
  }

  /** Bytes that have arrived and were not passed on yet. */
  get buffered(): number {
    return this.#input.length
  }

  /** The trailer fields, once the response is complete; null if there are none. */
  get trailers(): HeaderFields | null {
    const trailers = this.#decoder?.trailers ?? null
    return trailers === null || trailers.length === 0 ? null : trailers
  }

  /**
   * Sends a part of the request's body, whose bytes must not change until it is sent. Returns false if the caller should
   * wait for onDrain. After the end of the exchange the part is dropped.
   */
  write(chunk: Buffer | string): boolean {
    if (this.#state === DONE || this.#writer.ended) return true
    this.#progress.made = true
    return this.#writer.write(chunk)
  }

  /** The body of the request is complete. */
  endRequest(): void {
    if (this.#state === DONE) return
    this.#progress.made = true
    this.#writer.end()
  }

  /** Stops the response; what was read already is kept. */
  pause(): void {
    if (this.#state === DONE || this.#paused) return
    this.#paused = true
    this.connection.pause()
  }

  resume(): void {
    if (this.#state === DONE || !this.#paused) return
    this.#paused = false
    this.#progress.made = true
    this.#feed()
    if (!this.#paused && !this.#isOver()) this.connection.resume()
  }

  /** Ends the exchange and its connection. The listener is not called any more. */
  abort(): void {
    if (this.#state === DONE) return
    this.#leave(this.headAt === 0 ? -1 : this.headAt - this.startedAt)
    this.connection.destroy()
  }

  onBytes(bytes: Buffer, count: number): void {
    this.bytesReceived += count
    this.#progress.made = true
    const input = this.#input
    input.push(bytes, count)
    this.#feed()
    input.keep()
  }

  onDrain(): void {
    this.#listener.onDrain?.()
  }

  onEnd(): void {
    if (this.#state === HEAD && this.#input.length > 0) this.#endOfHead()
    if (this.#state !== DONE) this.#inputEnded(null)
  }

  onClose(error: Error | null): void {
    if (this.#state !== DONE) this.#inputEnded(error)
  }

  tick(now: number): void {
    const early = this.#state === HEAD && this.bytesReceived === 0
    const { timeout, pingTimeout } = this.#request
    const limit = early && pingTimeout > 0 ? pingTimeout : timeout
    const waits = !this.#paused && (this.#writer.ended || (early && pingTimeout > 0))
    const stalled = this.#progress.stalled(now, limit, waits)
    if (stalled === 'no') return
    if (stalled === 'sending') this.#fail('send-timeout')
    else if (this.#state === BODY) this.#fail('body-timeout')
    else this.#fail(early && pingTimeout > 0 ? 'ping-timeout' : 'head-timeout')
  }

  #feed(): void {
    if (this.#feeding) return
    this.#feeding = true
    while (this.#state === HEAD && this.#readHead()) {}
    if (this.#state === BODY) this.#readBody()
    this.#feeding = false
  }

  /** A caller of pause and resume may have ended the exchange. */
  #isOver(): boolean {
    return this.#state === DONE
  }

  /** Whether another head may follow in the input. */
  #readHead(): boolean {
    if (this.#input.length === 0) return false
    const status = this.#head.read(this.#input)
    if (status === 'more') return false
    if (status === 'refused') {
      this.#fail(this.#head.fault, this.#head.detail)
      return false
    }
    const message = this.#head.message
    return message !== null && this.#takeHead(message)
  }

  #takeHead(message: ResponseMessage): boolean {
    if (message.status < 200 && message.status !== 101) return this.#takeInterim(message)
    if (message.status === 101 || (message.status < 300 && this.#request.method === 'CONNECT')) {
      this.#upgrade(message)
      return false
    }
    this.headAt = performance.now() * 1000
    this.#message = message
    this.#framing = message.framing
    if (message.framing === 'length') this.#remaining = message.contentLength
    if (message.framing === 'chunked') this.#decoder = new ChunkedDecoder()
    this.#state = BODY
    this.#listener.onHead(message)
    if (message.version === HTTP_0_9 && !this.#isOver()) this.#takeBareLine()
    return false
  }

  #takeInterim(message: ResponseMessage): boolean {
    if (++this.#interim > this.#request.limits.interim) {
      this.#fail('too-many-interim')
      return false
    }
    this.#head.next()
    this.#listener.onInterim(message)
    return true
  }

  #upgrade(message: ResponseMessage): void {
    const asked = message.status === 101 ? this.#request.upgrade : true
    if (!asked || this.#listener.onUpgrade === undefined) {
      return this.#fail('unexpected-upgrade', message.fields.get('upgrade') ?? '')
    }
    this.headAt = performance.now() * 1000
    const rest = this.#input.take(this.#input.length)
    this.#leave(this.headAt - this.startedAt)
    this.connection.sink = null
    this.#listener.onUpgrade(message, this.connection, rest)
  }

  /** The first line of a body without a head. */
  #takeBareLine(): void {
    const { bareContent, bareLine } = this.#head
    const { bytes, start } = this.#input
    if (bareContent > 0) this.#pass(bytes, start, bareContent)
    if (!this.#isOver()) this.#input.skip(bareLine)
  }

  #readBody(): void {
    switch (this.#framing) {
      case 'none':
        return this.#complete()
      case 'length':
        return this.#readPlain(this.#remaining)
      case 'close':
        return this.#readPlain(Number.POSITIVE_INFINITY)
      default:
        if (this.#decoder !== null) this.#readChunks(this.#decoder)
    }
  }

  #readPlain(most: number): void {
    const input = this.#input
    const count = Math.min(most, input.length)
    if (count > 0) {
      if (this.#paused) return
      this.#remaining -= count
      const { bytes, start } = input
      input.skip(count)
      this.#pass(bytes, start, count)
      if (this.#isOver()) return
    }
    if (this.#framing === 'length' && this.#remaining === 0) this.#complete()
  }

  #readChunks(decoder: ChunkedDecoder): void {
    const input = this.#input
    for (;;) {
      const status = decoder.next(input, this.#limits)
      if (status === NEED_MORE) return
      if (status === COMPLETE) return this.#complete()
      if (status !== CHUNK_DATA) return this.#fail('chunk')
      if (this.#paused) return
      const count = decoder.available
      decoder.took(count)
      const { bytes, start } = input
      input.skip(count)
      this.#pass(bytes, start, count)
      if (this.#isOver()) return
    }
  }

  #pass(bytes: Buffer, start: number, count: number): void {
    this.#dataSeen = true
    this.#listener.onData(bytes.subarray(start, start + count))
  }

  /** The response is complete. */
  #complete(): void {
    const connection = this.connection
    const keeps = this.#message?.keepsConnection === true && this.#writer.ended && this.#input.length === 0 && !connection.closed
    if (this.#paused) connection.resume()
    this.#leave(this.headAt - this.startedAt)
    if (keeps) connection.release()
    else connection.destroy()
    this.#listener.onEnd()
  }

  #endOfHead(): void {
    if (this.#head.end(this.#input) === 'refused') return this.#fail(this.#head.fault, this.#head.detail)
    const message = this.#head.message
    if (message === null) return
    this.#takeHead(message)
    this.#feed()
  }

  /** The backend has closed the connection, or its sending side. */
  #inputEnded(cause: Error | null): void {
    if (this.#state === HEAD) return this.#fail(this.bytesReceived === 0 ? 'closed-early' : 'closed-in-head', '', cause)
    // A paused body may have more in the input; its end is found when it is resumed, or when the connection closes.
    if (this.#paused && this.#input.length > 0) this.#flush()
    if (this.#isOver()) return
    if (this.#framing === 'close' && cause === null) this.#complete()
    else this.#fail('truncated', '', cause)
  }

  /** Nothing more can be read later: what was held back is passed on now. */
  #flush(): void {
    this.#paused = false
    this.#feed()
  }

  #fail(code: UpstreamFault, detail = '', cause: Error | null = null): void {
    const { connection, bytesReceived } = this
    this.#leave(-1)
    connection.destroy()
    const kept = connection.uses > 0
    this.#listener.onError(new UpstreamError(code, { detail, cause, received: bytesReceived, kept, beforeBody: !this.#dataSeen }))
  }

  #leave(latency: number): void {
    this.#state = DONE
    const { owner } = this.connection
    owner.clock.remove(this)
    owner.exchangeEnded(this.#writer.bytesSent, this.bytesReceived, latency)
  }
}
