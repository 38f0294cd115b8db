/** Brings bytes from code that writes them to the reader of a stream, one piece at a time. */
export class BytePipe {
  #piece: Uint8Array | null = null
  #error: unknown
  #state: 'open' | 'ended' | 'failed' | 'left' = 'open'
  #wake: (() => void) | null = null
  #taken: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null

  /** Settles when the reader wants more; rejects if it has left. */
  write(piece: Uint8Array): Promise<void> {
    if (piece.length === 0) return Promise.resolve()
    if (this.#state === 'left') return Promise.reject(new PipeLeft())
    this.#piece = piece
    this.#notify()
    return new Promise((resolve, reject) => {
      this.#taken = { resolve, reject }
    })
  }

  /** No more bytes follow. */
  end(): void {
    if (this.#state === 'open') this.#state = 'ended'
    this.#notify()
  }

  /** The reader gets an error in the place of the rest. */
  fail(error: unknown): void {
    if (this.#state === 'open') this.#state = 'failed'
    this.#error = error
    this.#notify()
  }

  /** The bytes, for one reader. Leaving it makes the writer's next call reject. */
  async *read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (this.#piece !== null) {
          const piece = this.#piece
          this.#piece = null
          yield piece
          this.#taken?.resolve()
          this.#taken = null
        } else if (this.#state === 'failed') throw this.#error
        else if (this.#state === 'ended') return
        else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      if (this.#state === 'open') this.#state = 'left'
      this.#taken?.reject(new PipeLeft())
      this.#taken = null
    }
  }

  #notify(): void {
    this.#wake?.()
    this.#wake = null
  }
}

/** The reader of a pipe wants no more. */
export class PipeLeft extends Error {
  override readonly name = 'PipeLeft'

  constructor() {
    super('the reader of the page has left')
  }
}
