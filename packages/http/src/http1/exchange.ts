import type { BodyConsumer } from '../body-consumer.ts'
import type { Exchange, ResponseImages, ResponseListener, WireImage } from '../exchange.ts'
import type { FilePart, FileSent } from '../file-part.ts'
import { HTTP_0_9, HTTP_1_1 } from '../http-version.ts'
import type { KeepAliveTerms, ResponseHead } from '../response-head.ts'
import type { ProtocolSwitch, SuccessorBegin } from '../successor.ts'
import type { WriteCallback } from '../transport.ts'
import { wireText } from '../wire-text.ts'
import type { Http1Connection } from './connection.ts'
import { hasConnectionOption } from './connection-options.ts'
import { FileSender } from './file-sender.ts'
import { connectionFields, containsClose, headBeforeOwn, keepAliveParameters } from './head-text.ts'
import { Http1Image } from './image.ts'
import { Http1Request } from './request.ts'

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

/**
 * One request of HTTP/1.x and its response: writes heads with the fields about the connection, and frames
 * bodies.
 */
export class Http1Exchange extends Http1Request implements Exchange, ProtocolSwitch, ResponseImages {
  readonly isStream = false
  aborted: boolean
  onDrain: (() => void) | null
  bytesSent: number

  /** Who waits for the client to leave: mostly one listener, which needs no set. */
  #gone: (() => void) | Set<() => void> | null
  #state: number
  #chunked: boolean
  /** False if only the end of the connection ends the response. */
  #showsEnd: boolean
  #persistent: boolean
  /** A copy of the host's terms, if the client asked for them by `Connection: keep-alive`. */
  #keepAlive: KeepAliveTerms | null

  constructor(connection: Http1Connection, receivedAt: number, receivedAtUs: number) {
    super(connection, receivedAt, receivedAtUs)
    this.aborted = false
    this.onDrain = null
    this.bytesSent = 0
    this.#gone = null
    this.#state = WAITING
    this.#chunked = false
    this.#showsEnd = true
    this.#persistent = false
    this.#keepAlive = null
  }

  get answered(): boolean {
    return this.#state === ANSWERED
  }

  whenGone(listener: () => void): () => void {
    if (this.aborted) {
      listener()
      return NOTHING
    }
    const known = this.#gone
    if (known === null) this.#gone = listener
    else if (known instanceof Set) known.add(listener)
    else this.#gone = new Set([known, listener])
    return () => this.#forget(listener)
  }

  #forget(listener: () => void): void {
    if (this.#gone instanceof Set) this.#gone.delete(listener)
    else if (this.#gone === listener) this.#gone = null
  }

  get persistent(): boolean {
    return this.#persistent
  }

  get takesTrailers(): boolean {
    const codings = this.version >= HTTP_1_1 ? this.fields.get('te') : undefined
    return codings !== undefined && hasConnectionOption(codings, 'trailers')
  }

  get protocolSwitch(): ProtocolSwitch | null {
    return this.version >= HTTP_1_1 && this.requestEnded && this.refusal === null ? this : null
  }

  get images(): ResponseImages {
    return this
  }

  interim(status: number, reason: string, fields: string): boolean {
    if (this.#state !== WAITING || this.version < HTTP_1_1) return false
    this.writeRaw(wireText(`HTTP/1.1 ${status} ${reason}\r\n${fields}\r\n`), null)
    return true
  }

  respond(head: ResponseHead, body: Buffer | string | null, listener: ResponseListener | null): void {
    const text = wireText(this.#headText(head))
    if (typeof body === 'string') wireText(body)
    this.#begin(ANSWERED)
    this.connection.transport.holdUntilTurnEnd()
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

  beginTunnel(opening: string, client: BodyConsumer): boolean {
    if (!this.requestEnded) throw new Error('a tunnel begins after the body of the request')
    const bytes = wireText(opening)
    this.#begin(STREAMING)
    this.connection.reading.tunnelBegins()
    this.writeRaw(bytes, null)
    this.openTunnel(client)
    return true
  }

  switchTo(opening: string, begin: SuccessorBegin, listener: ResponseListener | null): void {
    const bytes = wireText(opening)
    this.#begin(ANSWERED)
    this.writeRaw(bytes, null)
    listener?.responseSent()
    if (!this.aborted) this.connection.succeed(begin)
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

  breakOff(how?: 'when sent'): void {
    this.remainsIncomplete()
    if (how === undefined || !this.#showsEnd) return this.connection.destroy()
    this.#state = ANSWERED
    this.connection.reading.closeWhenSent()
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
    this.connection.transport.holdUntilTurnEnd()
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

  /** For the engine: the connection has closed. */
  abort(): void {
    if (this.aborted) return
    this.aborted = true
    this.body?.abandon()
    const listeners = this.#gone
    this.#gone = null
    if (listeners === null || this.#state === ANSWERED) return
    if (listeners instanceof Set) for (const listener of listeners) listener()
    else listeners()
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
    this.#showsEnd = this.#chunked || !isMarked
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
