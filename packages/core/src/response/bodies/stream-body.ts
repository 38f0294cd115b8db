import { type FilteredBody, isResponseCut, type StreamBody } from '@gatewright/api'
import { type Exchange, type ResponseHead, wireBytes } from '@gatewright/http'
import { deadlineOf, withDeadline } from '../../base/deadline.ts'
import { discardStream, endIterator } from '../../base/discard-body.ts'
import type { RequestRecord } from '../../model/request-record.ts'
import { sendableTrailers } from '../trailers.ts'
import { bytesOf } from './bytes.ts'
import type { ResponseBody, SendFailed } from './response-body.ts'

type Chunks = AsyncIterator<string | Uint8Array>

/**
 * Bytes from a module, a backend for example, at the pace of the client. This object owns the stream: the
 * stream is read to its end, or ended once if the client disconnects, if the response fails, or if the
 * response has no body.
 */
export class StreamedBody implements ResponseBody {
  readonly length: number | null
  readonly #stream: StreamBody

  constructor(stream: StreamBody) {
    this.#stream = stream
    this.length = stream.contentLength ?? null
  }

  get isDivisible(): boolean {
    return false
  }

  open(): void {}

  send(request: RequestRecord, exchange: Exchange, head: ResponseHead, failed: SendFailed): void {
    const takesTrailers = head.end !== 'stated' && exchange.takesTrailers
    exchange.begin(head)
    this.#pump(request, exchange).then(
      (complete) => {
        if (complete) {
          if (takesTrailers) request.answer.trailers = this.#trailers(request, failed)
          return exchange.finish(request.answer.trailers, request)
        }
        exchange.breakOff()
        request.responseBroken()
      },
      (error: unknown) => {
        if (!exchange.aborted) failed(request, error)
        exchange.breakOff(isResponseCut(error) ? 'when sent' : undefined)
        request.responseBroken()
      },
    )
  }

  read(): AsyncIterable<string | Uint8Array> {
    return this.#stream
  }

  discard(): void {
    discardStream(this.#stream)
  }

  filtered(): FilteredBody {
    const chunks = chunksOf(this.#stream)
    const { contentLength } = this.#stream
    // A filter may depend on the length.
    return contentLength === undefined ? chunks : Object.assign(chunks, { contentLength })
  }

  #trailers(request: RequestRecord, failed: SendFailed): string {
    if (this.#stream.trailers === undefined) return ''
    try {
      return sendableTrailers(this.#stream.trailers())
    } catch (error) {
      failed(request, error)
      return ''
    }
  }

  /**
   * Returns false if the client has disconnected, without waiting for an idle source.
   * @throws the source's error, or an error if the source has a different length from the stated one
   */
  async #pump(request: RequestRecord, exchange: Exchange): Promise<boolean> {
    const chunks = this.#stream[Symbol.asyncIterator]()
    const limit = this.length ?? Number.POSITIVE_INFINITY
    let wake: (() => void) | null = null
    const forget = exchange.whenGone(() => wake?.())
    const { limitedStreamOf: owner } = request
    const late = (ms: number): Error => new SilentStream(`the stream of ${owner} has sent nothing for ${ms / 1000} s (Timeout)`)
    try {
      while (!exchange.aborted) {
        const arrived = new Promise<IteratorResult<string | Uint8Array> | null>((resolve, reject) => {
          wake = () => resolve(null)
          chunks.next().then(resolve, reject)
        })
        const next = await (owner === null ? arrived : withDeadline(arrived, deadlineOf(request), { late }))
        if (next === null) break
        if (next.done === true) return this.#isWhole(request.bodyBytesSent)
        const bytes = bytesOf(next.value)
        if (request.bodyBytesSent + bytes.length > limit) throw tooLong(chunks, limit)
        request.bodyBytesSent += bytes.length
        if (exchange.write(bytes) || exchange.aborted) continue
        await new Promise<void>((resolve) => {
          wake = resolve
          exchange.onDrain = resolve
        })
        exchange.onDrain = null
      }
    } catch (error) {
      if (error instanceof SilentStream) endIterator(chunks)
      throw error
    } finally {
      forget()
    }
    endIterator(chunks)
    return false
  }

  /** The client relies on the length in the head: only a broken connection shows that bytes are missing. */
  #isWhole(sent: number): true {
    if (this.length === null || sent === this.length) return true
    throw new Error(`the stream ended after ${sent} of ${this.length} bytes`)
  }
}

/** A stream has sent nothing for as long as Timeout allows. */
class SilentStream extends Error {}

/** The excess would be read as the next response. */
function tooLong(chunks: Chunks, limit: number): Error {
  endIterator(chunks)
  return new Error(`the stream has more than the ${limit} bytes that it stated`)
}

async function* chunksOf(stream: StreamBody): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? wireBytes(chunk) : chunk
}
