import { Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'

/** Where a connection in memory appears to come from. */
export interface SimulatedEnds {
  readonly remoteAddress: string
  readonly localAddress: string
  readonly localPort: number
}

const CLIENT_PORT = 50_000

/** The server's end of a connection in memory, and the client's. Nothing leaves this process. */
export function simulatedSocket(ends: SimulatedEnds): { readonly server: Socket; readonly client: Duplex } {
  const [inner, client] = duplexPair()
  return { server: new SimulatedSocket(inner, ends), client }
}

/** A socket without a handle of the system: its bytes pass through a stream. */
class SimulatedSocket extends Socket {
  readonly #inner: Duplex

  constructor(inner: Duplex, ends: SimulatedEnds) {
    super({ allowHalfOpen: true })
    this.#inner = inner
    const { remoteAddress, localAddress, localPort } = ends
    // In the place of what the system would say.
    for (const [name, value] of Object.entries({ remoteAddress, remotePort: CLIENT_PORT, localAddress, localPort }))
      Object.defineProperty(this, name, { value })
    // Without a handle, a socket counts as one that is still to connect: what is made of it waits for that.
    this.on('newListener', (name) => {
      if (name === 'connect') process.nextTick(() => this.emit('connect'))
    })
    inner.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) inner.pause()
    })
    inner.on('end', () => this.push(null))
    inner.on('error', (error) => this.destroy(error))
    inner.on('close', () => this.destroy())
  }

  override _read(): void {
    this.#inner.resume()
  }

  override _write(part: Uint8Array | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#inner.write(bytesOf(part, encoding))
    done()
  }

  override _writev(
    parts: { chunk: Uint8Array | string; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    for (const { chunk, encoding } of parts) this.#inner.write(bytesOf(chunk, encoding))
    done()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#inner.end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // As with the system's sockets, what was written still arrives: an alert, for example.
    this.#inner.end()
    setImmediate(() => setImmediate(() => this.#inner.destroy()))
    done(error)
    // Sockets report this themselves, as soon as the system has closed them.
    process.nextTick(() => this.emit('close', error !== null))
  }
}

/** Sockets do not decode what is written to them. */
function bytesOf(part: Uint8Array | string, encoding: BufferEncoding): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part, encoding) : part
}
