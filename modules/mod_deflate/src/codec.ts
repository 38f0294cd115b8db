import type { Gunzip, Gzip } from 'node:zlib'

/** A stream of zlib, asked step by step: what goes in is worked on in a thread, what comes out is handed over with the step that made it, or a later one. */
export class Codec {
  bytesIn = 0
  bytesOut = 0
  readonly #stream: Gzip | Gunzip
  #made: Buffer[] = []
  #failure: Error | null = null
  #reject: ((error: Error) => void) | null = null

  /** @param check receives all output; throws to end the work */
  constructor(stream: Gzip | Gunzip, check: ((codec: Codec) => void) | null = null) {
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

  /** Bytes of the input that were worked on, as far as known. */
  get bytesRead(): number {
    return this.#stream.bytesWritten
  }

  /** @throws the error of zlib */
  write(bytes: Uint8Array): Promise<Buffer[]> {
    this.bytesIn += bytes.length
    return this.#step((done) => this.#stream.write(bytes, done))
  }

  /** The last of it. @throws the error of zlib */
  end(): Promise<Buffer[]> {
    return this.#step((done) => {
      this.#stream.once('end', done)
      this.#stream.end()
    })
  }

  /** Nobody wants what is left; may be called at any time. */
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
