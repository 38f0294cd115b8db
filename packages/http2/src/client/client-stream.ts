import type { HeaderFields } from '@gatewright/http/messages'
import { ConnectionError, ERROR } from '../error-codes.ts'
import { LARGEST } from '../frames.ts'
import type { ClientSession } from './client-session.ts'
import type { ResponseBlock } from './response-block.ts'
import { SessionFault } from './session-fault.ts'

/** Receives the response to a request. No calls follow onEnd and onFault. */
export interface ClientListener {
  /** A response with a status from 100 to 199, which another one follows. */
  onInterim(head: ResponseBlock): void
  onHead(head: ResponseBlock): void
  /** Valid only during the call. */
  onData(chunk: Buffer): void
  /** The response is complete. @param trailers null without any */
  onEnd(trailers: HeaderFields | null): void
  onFault(fault: SessionFault): void
  /** After `write` returned false: the server takes more. */
  onDrain(): void
}

/** Bytes of the body of a response that the server may send before they are consumed. */
export const STREAM_WINDOW: number = 256 * 1024

/** Interim responses before a response; httpd accepts as many from a back end that speaks HTTP/1.1. */
const INTERIM_MAX = 10

/** Statuses of responses without a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 304])

/** One request to a server, and its response. */
export class ClientStream {
  readonly id: number
  /** Bytes that the server may receive. */
  sendWindow: number
  /** Bytes of the body that were sent, and bytes of the response that have arrived. */
  bytesSent = 0
  bytesReceived = 0
  readonly #session: ClientSession
  readonly #listener: ClientListener
  readonly #isHead: boolean
  #waiting: Buffer[] = []
  /** `write` has returned false. */
  #isWriterWaiting = false
  /** Nothing follows what waits. */
  #isLast: boolean
  /** The end of the request was sent. */
  #isSent: boolean
  #isOver = false
  #head: ResponseBlock | null = null
  #interim = 0
  #arrived = 0
  #receiveWindow = STREAM_WINDOW
  /** Bytes that have arrived since the last WINDOW_UPDATE. */
  #uncredited = 0
  #isPaused = false
  #trailers: HeaderFields | null = null

  /** @param method of the request; the response to HEAD has no body */
  constructor(session: ClientSession, id: number, method: string, listener: ClientListener, sendWindow: number, isSent: boolean) {
    this.#session = session
    this.id = id
    this.#isHead = method === 'HEAD'
    this.#listener = listener
    this.sendWindow = sendWindow
    this.#isLast = isSent
    this.#isSent = isSent
  }

  /** The response has arrived or failed, or nobody wants it any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The server should send something now: the response, or permission to send more. */
  get isServersTurn(): boolean {
    return !this.#isPaused && (this.#isSent || this.#waiting.length > 0)
  }

  /** Bytes of the body that wait for a window. */
  get unsentBytes(): number {
    let sum = 0
    for (const { length } of this.#waiting) sum += length
    return sum
  }

  /** Whether the connection has to take bytes before the writer may continue. */
  get waitsForConnection(): boolean {
    return this.#isWriterWaiting && this.#session.isBacklogged
  }

  /** Sends a part of the body, which must not change. @returns false if the caller should wait for onDrain */
  write(bytes: Buffer): boolean {
    if (this.#isOver || bytes.length === 0) return true
    this.#waiting.push(bytes)
    this.#session.writing.add(this)
    this.#session.flush()
    this.#isWriterWaiting = !this.#takesMore
    if (this.#isWriterWaiting) this.#session.writing.add(this)
    return !this.#isWriterWaiting
  }

  /** The request is complete with these bytes. */
  finish(bytes: Buffer | null): void {
    if (this.#isOver || this.#isLast) return
    if (bytes !== null && bytes.length > 0) this.#waiting.push(bytes)
    this.#isLast = true
    this.#session.writing.add(this)
    this.#session.flush()
  }

  /** The server may send what its window permits, and nothing after it. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#credit()
    this.#session.flush()
  }

  /** Nobody wants the response. The listener is not called any more. */
  cancel(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting = []
    this.#session.reset(this, ERROR.cancel)
    this.#session.flush()
  }

  /** For the session: frames as much of the body as may be sent. */
  pump(): void {
    while (this.#waiting.length > 0) {
      const [chunk] = this.#waiting
      const count = Math.min(chunk.length, this.#session.roomOf(this))
      if (count <= 0) return
      const isWhole = count === chunk.length
      if (isWhole) this.#waiting.shift()
      else this.#waiting[0] = chunk.subarray(count)
      const isEnd = this.#isLast && this.#waiting.length === 0
      this.#session.writeData(this, chunk.subarray(0, count), isEnd)
      this.bytesSent += count
      if (isEnd) this.#isSent = true
    }
    if (this.#isLast && !this.#isSent) {
      this.#session.writeData(this, EMPTY, true)
      this.#isSent = true
    }
    if (!this.#isWriterWaiting) this.#session.writing.delete(this)
  }

  /** For the session, after the window or the connection has room again. */
  continueWriting(): void {
    if (!this.#isWriterWaiting || !this.#takesMore || this.#isOver) return
    this.#isWriterWaiting = false
    if (this.#waiting.length === 0) this.#session.writing.delete(this)
    this.#listener.onDrain()
  }

  get #takesMore(): boolean {
    return this.#waiting.length === 0 && !this.#session.isBacklogged
  }

  /** For the session: more may be sent. @throws ConnectionError */
  grow(count: number): void {
    this.sendWindow += count
    if (this.sendWindow > LARGEST) throw new ConnectionError(ERROR.flowControl, 'a window gets too large')
  }

  /** For the session: a header block has arrived. */
  headers(block: ResponseBlock, endsStream: boolean): void {
    if (block.isMalformed) return this.#refuse('malformed', 'a malformed header block')
    if (block.isBomb) return this.#refuse('excess', 'a header block that is too long')
    if (this.#head !== null) return this.#takeTrailers(block, endsStream)
    if (block.isInterim) {
      if (endsStream) return this.#refuse('malformed', 'an interim response that ends the stream')
      this.#interim++
      if (this.#interim > INTERIM_MAX) return this.#refuse('excess', 'too many interim responses')
      return this.#listener.onInterim(block)
    }
    this.#head = block
    if (endsStream && !this.#isComplete) return this.#refuse('malformed', 'a response without the body that it announces')
    this.#listener.onHead(block)
    if (endsStream) this.#end()
  }

  /** For the session: whether the next header block ends the response. */
  get expectsTrailers(): boolean {
    return this.#head !== null
  }

  /**
   * For the session: data has arrived.
   * @param length bytes of the frame's payload
   * @throws ConnectionError
   */
  data(bytes: Buffer, from: number, to: number, length: number, endsStream: boolean): void {
    if (this.#head === null) throw new ConnectionError(ERROR.protocol, 'DATA: stream not opened')
    if (length > this.#receiveWindow) throw new ConnectionError(ERROR.flowControl, 'DATA: the window of the stream')
    this.#receiveWindow -= length
    this.#uncredited += length
    this.#arrived += to - from
    this.bytesReceived += to - from
    if (this.#exceeds) return this.#refuse('malformed', 'a body that is longer than announced')
    if (endsStream && !this.#isComplete) return this.#refuse('malformed', 'a body that is shorter than announced')
    if (to > from) this.#listener.onData(bytes.subarray(from, to))
    if (this.#isOver) return
    if (endsStream) this.#end()
    else if (!this.#isPaused) this.#credit()
  }

  /** For the session: the request has failed. */
  fail(fault: SessionFault): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting = []
    this.#listener.onFault(fault)
  }

  /** For the session, after the frames that have arrived with the end: reports the end. */
  reportEnd(): void {
    this.#listener.onEnd(this.#trailers)
  }

  get #hasNoBody(): boolean {
    return this.#isHead || (this.#head !== null && BODILESS.has(this.#head.status))
  }

  get #exceeds(): boolean {
    if (this.#hasNoBody) return this.#arrived > 0
    const length = this.#head?.contentLength ?? -1
    return length >= 0 && this.#arrived > length
  }

  get #isComplete(): boolean {
    const length = this.#head?.contentLength ?? -1
    return this.#hasNoBody || length < 0 || this.#arrived === length
  }

  #takeTrailers(block: ResponseBlock, endsStream: boolean): void {
    const isShort = !this.#isComplete || block.contentLength >= 0
    if (!endsStream || isShort) return this.#refuse('malformed', 'trailers that do not end the response')
    const fields = block.fields()
    if (fields.length > 0) this.#trailers = fields
    this.#end()
  }

  #refuse(kind: 'malformed' | 'excess', text: string): void {
    this.#session.reset(this, kind === 'malformed' ? ERROR.protocol : ERROR.enhanceYourCalm)
    this.fail(new SessionFault(kind, `the back end sent ${text}`))
  }

  #end(): void {
    this.#isOver = true
    this.#waiting = []
    // RFC 9113 section 8.1: the rest of the request is not wanted.
    if (this.#isSent) this.#session.ended(this)
    else this.#session.reset(this, ERROR.cancel, 'ended')
  }

  #credit(): void {
    if (this.#isOver || this.#uncredited < STREAM_WINDOW / 2) return
    this.#session.writeWindowUpdate(this.id, this.#uncredited)
    this.#receiveWindow += this.#uncredited
    this.#uncredited = 0
  }
}

const EMPTY = Buffer.alloc(0)
