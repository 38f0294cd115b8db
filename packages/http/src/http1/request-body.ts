import type { BodyConsumer } from '../body-consumer.ts'
import type { HeaderFields } from '../header-fields.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { CHUNK_DATA, ChunkedDecoder } from './chunked-decoder.ts'
import { COMPLETE, NEED_MORE } from './field-section.ts'
import type { Http1Request } from './request.ts'

/** The body of one request, decoded from the connection's input at the pace of its consumer. */
export class RequestBody {
  /** The body was taken completely from the input. */
  ended: boolean
  /** The body cannot be read to its end. */
  failed: boolean
  /** Not a body: the bytes of another protocol, which end with the connection and have no time limit here. */
  readonly isTunnel: boolean
  readonly #exchange: Http1Request
  readonly #decoder: ChunkedDecoder | null
  #remaining: number
  #consumer: BodyConsumer | null
  #paused: boolean
  #feeding: boolean

  constructor(exchange: Http1Request, of: 'request' | 'tunnel' = 'request') {
    this.#exchange = exchange
    const framing = of === 'request' ? exchange.bodyFraming : 'none'
    this.isTunnel = of === 'tunnel'
    this.#decoder = framing === 'chunked' ? new ChunkedDecoder() : null
    this.#remaining = this.isTunnel ? Number.POSITIVE_INFINITY : framing === 'length' ? exchange.contentLength : 0
    this.ended = framing === 'length' && this.#remaining === 0
    this.failed = false
    this.#consumer = null
    this.#paused = false
    this.#feeding = false
  }

  /** Whether arriving bytes would be consumed immediately. */
  get wantsInput(): boolean {
    return this.#consumer !== null && !this.#paused
  }

  /** Whether a consumer reads it, or has read a part of it. */
  get started(): boolean {
    return this.#consumer !== null
  }

  get paused(): boolean {
    return this.#paused
  }

  /** The trailer fields of a chunked body, complete once `ended` is true. */
  get trailers(): HeaderFields | null {
    return this.#decoder === null ? null : this.#decoder.trailers
  }

  start(consumer: BodyConsumer): void {
    if (this.#consumer !== null || this.ended || this.failed) throw new Error('the request body was read before')
    this.#consumer = consumer
    this.feed()
  }

  resume(): void {
    this.#paused = false
    this.feed()
  }

  /** Passes the rest to another consumer, because the first one has answered without it. */
  takeOver(consumer: BodyConsumer): void {
    const former = this.#consumer
    this.#consumer = consumer
    former?.onTaken?.()
    this.resume()
  }

  /** Passes on the data in the input. Called again whenever data arrives. */
  feed(): void {
    if (this.#feeding) return
    this.#feeding = true
    while (this.#consumer !== null && !this.#paused && !this.ended) {
      const chunk = this.#decoder === null ? this.#takePlain() : this.#takeChunked(this.#decoder)
      if (chunk === null) break
      if (this.#consumer.onData(chunk) === 'pause') this.#paused = true
    }
    this.#feeding = false
    if (this.ended && !this.#paused) this.#finish()
    else this.#exchange.connection.reading.bodyWaits()
  }

  /** Ends reading with a refusal; only the first one counts. */
  fail(reason: Refusal): void {
    if (this.ended || this.failed) return
    this.failed = true
    const consumer = this.#consumer
    this.#consumer = null
    consumer?.onError(reason)
  }

  /** Reports that the client has closed its sending side and all data was fed. */
  inputEnded(): void {
    if (!this.wantsInput) return
    if (this.isTunnel) {
      this.ended = true
      this.#finish()
      return
    }
    this.fail(this.#decoder === null ? refusal(400, null) : this.#decoder.endOfInput(this.#exchange.connection.input))
  }

  /** Reports that the connection has closed; no further calls follow. */
  abandon(): void {
    this.failed = true
    this.#consumer = null
  }

  #finish(): void {
    const consumer = this.#consumer
    this.#consumer = null
    consumer?.onEnd()
  }

  #takePlain(): Buffer | null {
    const input = this.#exchange.connection.input
    const count = Math.min(this.#remaining, input.length)
    if (count === 0) return null
    this.#remaining -= count
    this.#exchange.bytesReceived += count
    this.ended = this.#remaining === 0
    return input.take(count)
  }

  #takeChunked(decoder: ChunkedDecoder): Buffer | null {
    const { connection } = this.#exchange
    const before = decoder.framingBytes
    const status = decoder.next(connection.input, connection.settings)
    this.#exchange.bytesReceived += decoder.framingBytes - before
    if (status === CHUNK_DATA) {
      const count = decoder.available
      decoder.took(count)
      this.#exchange.bytesReceived += count
      return connection.input.take(count)
    }
    if (status === COMPLETE) this.ended = true
    else if (status !== NEED_MORE && decoder.refusal !== null) this.fail(decoder.refusal)
    return null
  }
}
