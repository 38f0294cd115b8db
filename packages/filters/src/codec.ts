import type { BrotliCompress, Gunzip, Gzip } from 'node:zlib'

/** The streams of zlib that {@link Codec} uses. */
export type CodecStream = Gzip | Gunzip | BrotliCompress

/**
 * A zlib stream that is used step by step. A thread processes the input, and each step returns the output
 * produced so far.
 */
export class Codec {
  bytesIn = 0
  bytesOut = 0
  readonly #stream: CodecStream
  #made: Buffer[] = []
  #failure: Error | null = null
  #reject: ((error: Error) => void) | null = null

  /** @param check called for each piece of output; throws to end processing */
  constructor(stream: CodecStream, check: ((codec: Codec) => void) | null = null) {
    this.#stream = stream
    stream.on('data', (bytes: Buffer) => {
      this.bytesOut += bytes.length
      this.#made.push(bytes)
      try {
        check?.(this)
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)))
      }
    })
    stream.on('error', (error) => {
      this.#failure = error
      this.#reject?.(error)
    })
  }

  /** Number of input bytes that are known to be processed. */
  get bytesRead(): number {
    return this.#stream.bytesWritten
  }

  /** @throws the error of zlib */
  write(bytes: Uint8Array): Promise<Buffer[]> {
    this.bytesIn += bytes.length
    return this.#step((done) => this.#stream.write(bytes, done))
  }

  /** Ends the input and returns the remaining output. @throws the error of zlib */
  end(): Promise<Buffer[]> {
    return this.#step((done) => {
      this.#stream.once('end', done)
      this.#stream.end()
    })
  }

  /** Discards the remaining output; may be called at any time. */
  close(): void {
    this.#stream.destroy()
    this.#reject?.(new Error('the response was aborted'))
  }

  #step(begin: (done: () => void) => void): Promise<Buffer[]> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#reject = reject
      begin(() => {
        this.#reject = null
        if (this.#failure !== null) return reject(this.#failure)
        resolve(this.#made)
        this.#made = []
      })
    })
  }
}
