import type { HeaderFields } from '@gatewright/http/messages'

/** What a stream asks of its exchange. */
export interface StreamedExchange {
  readonly trailers: HeaderFields | null
  pause(): void
  resume(): void
  abort(): void
}

/** Bytes that wait for the reader before the backend is asked to wait. */
const HIGH = 256 * 1024

/**
 * The body of a response, read at the pace of its reader: a backend that is faster has to wait. A reader that leaves
 * ends the exchange.
 */
export class ResponseStream implements AsyncIterableIterator<Uint8Array> {
  /** The number of bytes, if it is known. */
  contentLength: number | undefined
  readonly #exchange: StreamedExchange
  #chunks: Uint8Array[]
  #bytes: number
  #paused: boolean
  #ended: boolean
  #error: Error | null
  #reader: PromiseWithResolvers<IteratorResult<Uint8Array>> | null

  /** @param contentLength bytes, -1 if it is not known */
  constructor(exchange: StreamedExchange, contentLength: number) {
    this.contentLength = contentLength < 0 ? undefined : contentLength
    this.#exchange = exchange
    this.#chunks = []
    this.#bytes = 0
    this.#paused = false
    this.#ended = false
    this.#error = null
    this.#reader = null
  }

  /** Keeps a copy of a part that has arrived. */
  push(chunk: Uint8Array): void {
    const copy = Buffer.from(chunk)
    const reader = this.#reader
    if (reader !== null) {
      this.#reader = null
      reader.resolve({ done: false, value: copy })
      return
    }
    this.#chunks.push(copy)
    this.#bytes += copy.length
    if (this.#bytes < HIGH || this.#paused) return
    this.#paused = true
    this.#exchange.pause()
  }

  /** The body is complete. */
  end(): void {
    this.#ended = true
    this.#reader?.resolve({ done: true, value: undefined })
    this.#reader = null
  }

  /** The body breaks off after what has arrived. */
  fail(error: Error): void {
    this.#error = error
    this.#ended = true
    this.#reader?.reject(error)
    this.#reader = null
  }

  /** Before anybody reads: if the body is complete, its length is known from now on. */
  stateLength(): void {
    if (this.#ended && this.#error === null) this.contentLength = this.#bytes
  }

  *trailers(): IterableIterator<[name: string, value: string]> {
    const { trailers } = this.#exchange
    if (trailers !== null) yield* trailers
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const chunk = this.#take()
    if (chunk !== null) return Promise.resolve({ done: false, value: chunk })
    if (this.#error !== null) return Promise.reject(this.#error)
    if (this.#ended) return Promise.resolve({ done: true, value: undefined })
    this.#reader = Promise.withResolvers()
    return this.#reader.promise
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#ended) this.#exchange.abort()
    this.#chunks = []
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Everything that waits, as one chunk. */
  #take(): Uint8Array | null {
    const chunks = this.#chunks
    if (chunks.length === 0) return null
    const taken = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, this.#bytes)
    this.#chunks = []
    this.#bytes = 0
    if (this.#paused) {
      this.#paused = false
      this.#exchange.resume()
    }
    return taken
  }
}
