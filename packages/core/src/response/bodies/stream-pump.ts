import type { Exchange } from '@gatewright/http'
import { deadlineOf, withDeadline } from '../../base/deadline.ts'
import { endIterator } from '../../base/discard-body.ts'
import type { RequestRecord } from '../../model/request-record.ts'
import { bytesOf } from './bytes.ts'

type Chunk = string | Uint8Array
type Chunks = AsyncIterator<Chunk>

/** What follows a stream; one of these is called, once. */
export interface PumpEnd {
  /** All of it was passed to the exchange. */
  complete(): void
  /** The client has disconnected. */
  gone(): void
  /** The source's error, or an error because the source has another length than the stated one. */
  failed(error: unknown): void
}

/**
 * Sends a stream at the pace of the client. Functions that are made once take part after part: an async function with a
 * promise for each wait costs a short response of a backend more than all the rest of its way.
 */
export class StreamPump {
  readonly #request: RequestRecord
  readonly #exchange: Exchange
  readonly #length: number | null
  readonly #end: PumpEnd
  #chunks: Chunks | null = null
  /** Ends the watch for a client that disconnects. */
  #forget: (() => void) | null = null
  #isOver = false

  /** @param length bytes that the head has stated; null for none */
  constructor(request: RequestRecord, exchange: Exchange, length: number | null, end: PumpEnd) {
    this.#request = request
    this.#exchange = exchange
    this.#length = length
    this.#end = end
  }

  start(stream: AsyncIterable<Chunk>): void {
    try {
      this.#chunks = stream[Symbol.asyncIterator]()
    } catch (error) {
      return this.#failed(error)
    }
    this.#forget = this.#exchange.whenGone(() => queueMicrotask(this.#leave))
    this.#next()
  }

  readonly #next = (): void => {
    const chunks = this.#chunks
    if (this.#isOver || chunks === null) return
    if (this.#exchange.aborted) return this.#leave()
    try {
      this.#awaited(Promise.resolve(chunks.next())).then(this.#arrived, this.#failed)
    } catch (error) {
      this.#failed(error)
    }
  }

  #awaited(arriving: Promise<IteratorResult<Chunk>>): Promise<IteratorResult<Chunk>> {
    const { limitedStreamOf: owner } = this.#request
    if (owner === null) return arriving
    const late = (ms: number): Error => new SilentStream(`the stream of ${owner} has sent nothing for ${ms / 1000} s (Timeout)`)
    return withDeadline(arriving, deadlineOf(this.#request), { late })
  }

  readonly #arrived = (next: IteratorResult<Chunk>): void => {
    if (this.#isOver) return
    try {
      if (next.done === true) this.#whole()
      else this.#send(next.value)
    } catch (error) {
      this.#failed(error)
    }
  }

  #send(chunk: Chunk): void {
    const request = this.#request
    const exchange = this.#exchange
    const bytes = bytesOf(chunk)
    const limit = this.#length
    if (limit !== null && request.bodyBytesSent + bytes.length > limit) {
      // The excess would be read as the next response.
      this.#giveUp()
      throw new Error(`the stream has more than the ${limit} bytes that it stated`)
    }
    request.bodyBytesSent += bytes.length
    if (exchange.write(bytes) || exchange.aborted) this.#next()
    else exchange.onDrain = this.#drained
  }

  readonly #drained = (): void => {
    this.#exchange.onDrain = null
    queueMicrotask(this.#next)
  }

  /** The client relies on the length in the head: only a broken connection shows that bytes are missing. */
  #whole(): void {
    const sent = this.#request.bodyBytesSent
    if (this.#length !== null && sent !== this.#length) throw new Error(`the stream ended after ${sent} of ${this.#length} bytes`)
    this.#stop()
    this.#end.complete()
  }

  readonly #leave = (): void => {
    if (this.#isOver) return
    this.#stop()
    this.#giveUp()
    this.#end.gone()
  }

  readonly #failed = (error: unknown): void => {
    if (this.#isOver) return
    this.#stop()
    if (error instanceof SilentStream) this.#giveUp()
    this.#end.failed(error)
  }

  #stop(): void {
    this.#isOver = true
    this.#exchange.onDrain = null
    this.#forget?.()
  }

  #giveUp(): void {
    if (this.#chunks !== null) endIterator(this.#chunks)
  }
}

/** A stream has sent nothing for as long as Timeout allows. */
class SilentStream extends Error {}
