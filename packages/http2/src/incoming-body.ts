import type { BodyConsumer, BodyRequest, Refusal } from '@gatewright/http'
import { WaitingChunks } from './waiting-chunks.ts'

/** What the body of a request reports to its stream. */
export interface BodyOwner {
  /** Bytes were taken by the consumer: the client may send as many. */
  consumed(count: number): void
  /** A consumer waits for bytes from now on, or no longer. */
  waits(): void
}

/**
 * The body of a request on a stream: what has arrived and was not consumed, at most a window of it, and its consumer.
 */
export class IncomingBody {
  readonly #owner: BodyOwner
  readonly #waiting = new WaitingChunks()
  #consumer: BodyConsumer | null = null
  #paused = false
  #feeding = false
  #started = false
  /** The last byte has arrived. */
  #complete = false
  #failed = false

  constructor(owner: BodyOwner) {
    this.#owner = owner
  }

  /** The last byte has arrived and was consumed. */
  get ended(): boolean {
    return this.#complete && this.#waiting.isEmpty
  }

  get complete(): boolean {
    return this.#complete
  }

  get failed(): boolean {
    return this.#failed
  }

  /** Whether a consumer waits for bytes of the client. */
  get wantsInput(): boolean {
    return this.#consumer !== null && !this.#paused && !this.#complete
  }

  read(consumer: BodyConsumer, _asks: BodyRequest): void {
    if (this.#started || this.#failed) throw new Error('the request body was read before')
    this.#started = true
    this.#consumer = consumer
    this.#feed()
  }

  resume(): void {
    this.#paused = false
    this.#feed()
  }

  /** The bytes of `source` from `start` to `end` have arrived; they are copied. */
  push(source: Buffer, start: number, end: number): void {
    if (this.#failed) return this.#owner.consumed(end - start)
    this.#waiting.push(source, start, end)
    this.#feed()
  }

  /** The last byte has arrived. */
  end(): void {
    this.#complete = true
    this.#feed()
  }

  /**
   * Ends reading with a refusal; only the first one counts, and none after the end was reported. A consumer that refuses the last
   * bytes has not got the end yet.
   */
  fail(reason: Refusal): void {
    const consumer = this.#consumer
    if (this.#failed || (this.ended && consumer === null)) return
    this.abandon()
    consumer?.onError(reason)
  }

  /** Nothing is passed on any more. */
  abandon(): void {
    this.#failed = true
    this.#consumer = null
    this.#owner.consumed(this.#waiting.clear())
  }

  #feed(): void {
    if (this.#feeding) return
    this.#feeding = true
    while (this.#consumer !== null && !this.#paused) {
      const chunk = this.#waiting.shift()
      if (chunk === undefined) break
      this.#owner.consumed(chunk.length)
      if (this.#consumer.onData(chunk) === 'pause') this.#paused = true
    }
    this.#feeding = false
    if (this.ended && !this.#paused) {
      const consumer = this.#consumer
      this.#consumer = null
      consumer?.onEnd()
    }
    this.#owner.waits()
  }
}
