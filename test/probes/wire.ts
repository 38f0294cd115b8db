import { connect, type Socket } from 'node:net'

/** A connection that buffers received data. */
export class Wire {
  readonly #socket: Socket
  readonly #patience: number
  readonly #chunks: Buffer[] = []
  #ended = false
  #wake: () => void = () => undefined

  /** @param patience ms without data after which `news` gives up */
  constructor(port: number, patience: number) {
    this.#patience = patience
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
    this.#socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#wake()
    })
    for (const over of ['end', 'error', 'close'] as const) this.#socket.on(over, () => this.#over())
  }

  /** Whether the server has closed the connection. */
  get ended(): boolean {
    return this.#ended
  }

  write(bytes: string): void {
    this.#socket.write(bytes, 'latin1')
  }

  /** Closes the sending side. */
  end(): void {
    this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** The data since the last call. */
  take(): Buffer {
    return Buffer.concat(this.#chunks.splice(0))
  }

  /** Waits for more data or the end. False after the timeout. */
  news(): Promise<boolean> {
    if (this.#ended || this.#chunks.length > 0) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), this.#patience)
      this.#wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  #over(): void {
    this.#ended = true
    this.#wake()
  }
}
