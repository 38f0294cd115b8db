import type { SendRate, StreamBody } from '@gatewright/api'
import { type Bytes, bufferOf, bytesOf, cutOf, isBytes } from './bytes.ts'
import type { BodyCut, ResponseBody } from './response-body.ts'
import { StreamedBody } from './stream-body.ts'

/** Bytes are sent this many times per second. */
const TIMES_PER_SECOND = 5

/**
 * A body that is sent at a limited rate.
 * @param length the number of bytes that the head states, or null
 */
export function pacedBody(body: Bytes | ResponseBody, cut: BodyCut | null, rate: SendRate, length: number | null): StreamedBody {
  const stream: AsyncIterable<Uint8Array> = new PacedStream(chunksOf(body, cut), rate)
  const paced: StreamBody = length === null ? stream : Object.assign(stream, { contentLength: length })
  return new StreamedBody(paced)
}

class PacedStream implements AsyncIterable<Uint8Array> {
  readonly #chunks: AsyncIterable<Uint8Array>
  readonly #rate: SendRate

  constructor(chunks: AsyncIterable<Uint8Array>, rate: SendRate) {
    this.#chunks = chunks
    this.#rate = rate
  }

  /** The burst first, then a share of each second after each pause. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const share = Math.max(1, Math.ceil(this.#rate.bytesPerSecond / TIMES_PER_SECOND))
    let allowed = Math.max(this.#rate.burst, share)
    for await (const chunk of this.#chunks) {
      for (let from = 0; from < chunk.length; ) {
        if (allowed === 0) {
          await pause(1000 / TIMES_PER_SECOND)
          allowed = share
        }
        const part = chunk.subarray(from, from + allowed)
        from += part.length
        allowed -= part.length
        yield part
      }
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

async function* chunksOf(body: Bytes | ResponseBody, cut: BodyCut | null): AsyncGenerator<Uint8Array> {
  if (isBytes(body)) yield cut === null ? bufferOf(body) : cutOf(bufferOf(body), cut)
  else for await (const chunk of body.read(cut)) yield bufferOf(bytesOf(chunk))
}
