import { type FilteredBody, isResponseCut, type StreamBody } from '@gatewright/api'
import { type Exchange, type ResponseHead, wireBytes } from '@gatewright/http'
import { discardStream } from '../../base/discard-body.ts'
import type { RequestRecord } from '../../model/request-record.ts'
import { sendableTrailers } from '../trailers.ts'
import type { ResponseBody, SendFailed } from './response-body.ts'
import { StreamPump } from './stream-pump.ts'

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
    const pump = new StreamPump(request, exchange, this.length, {
      complete: () => {
        if (takesTrailers) request.answer.trailers = this.#trailers(request, failed)
        exchange.finish(request.answer.trailers, request)
      },
      gone: () => {
        exchange.breakOff()
        request.responseBroken()
      },
      failed: (error) => {
        if (!exchange.aborted) failed(request, error)
        exchange.breakOff(isResponseCut(error) ? 'when sent' : undefined)
        request.responseBroken()
      },
    })
    pump.start(this.#stream)
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
}

async function* chunksOf(stream: StreamBody): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? wireBytes(chunk) : chunk
}
