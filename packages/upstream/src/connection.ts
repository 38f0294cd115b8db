import type { Socket } from 'node:net'
import { SocketTransport, type TransportSink, type WriteCallback } from '@gatewright/http/messages'
import type { ExchangeClock } from './exchange-clock.ts'
import { surviveWriteError } from './survive-write-error.ts'

/** What has a connection for the moment. */
export interface ConnectionSink {
  /** The first `count` bytes have arrived. They are valid only during the call. */
  onBytes(bytes: Buffer, count: number): void
  /** The backend has closed its sending side. */
  onEnd(): void
  /** After `write` returned false: all pending writes are complete. */
  onDrain(): void
  /** The connection has closed; no further calls follow. @param error why, unless it was closed in order */
  onClose(error: Error | null): void
}

/** The pool of a connection, as the connection and its exchanges see it. */
export interface ConnectionOwner {
  readonly clock: ExchangeClock
  /** The connection is idle. */
  release(connection: UpstreamConnection): void
  /** The connection has closed. */
  closed(connection: UpstreamConnection): void
  /** An exchange has ended. @param latency microseconds to the head of the response, -1 without one */
  exchangeEnded(sent: number, received: number, latency: number): void
}

/** An open connection to a backend. It belongs to its acquirer, until `release` or `destroy`. */
export class UpstreamConnection implements TransportSink {
  /** The TLSSocket, if the connection is encrypted. */
  readonly socket: Socket
  owner: ConnectionOwner
  /** Number of exchanges before the present one. */
  uses: number
  /** When it was released, ms on the clock of performance.now. */
  idleSince: number
  sink: ConnectionSink | null
  /**
   * What has the connection while it is idle, for a protocol whose backends may send something between exchanges. It has to
   * destroy a connection that is not to be used again. Null: whatever happens ends the connection.
   */
  idleSink: ConnectionSink | null
  readonly #transport: SocketTransport
  #error: Error | null
  #closed: boolean

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.socket = socket
    this.owner = owner
    this.uses = 0
    this.idleSince = 0
    this.sink = null
    this.idleSink = null
    this.#error = null
    this.#closed = false
    this.#transport = new SocketTransport(socket, null)
    surviveWriteError(socket)
    socket.on('error', (error) => {
      this.#error = error
    })
    this.#transport.attach(this)
  }

  get closed(): boolean {
    return this.#closed
  }

  get remoteAddress(): string {
    return this.#transport.remoteAddress
  }

  get remotePort(): number {
    return this.#transport.remotePort
  }

  get localAddress(): string {
    return this.#transport.localAddress
  }

  get localPort(): number {
    return this.#transport.localPort
  }

  /** Bytes that the system has not accepted yet. */
  get unsentBytes(): number {
    return this.#transport.unsentBytes
  }

  /** Returns false if the caller should wait for onDrain. A string is latin1. Bytes must not change until `done`. */
  write(data: Buffer | string, done: WriteCallback | null = null): boolean {
    // After a failed write, only what the backend has sent is of interest.
    if (this.#error !== null) return true
    this.#transport.holdUntilTurnEnd()
    return this.#transport.write(data, done)
  }

  cork(): void {
    this.#transport.cork()
  }

  uncork(): void {
    this.#transport.uncork()
  }

  pause(): void {
    this.#transport.pause()
  }

  resume(): void {
    this.#transport.resume()
  }

  /** Closes the writing side after everything is sent. */
  end(): void {
    this.#transport.end()
  }

  /** Returns the connection to its pool, which keeps or closes it. */
  release(): void {
    this.sink = null
    if (this.#closed) return
    this.uses++
    this.owner.release(this)
  }

  /**
   * Gives the socket away, from whose events nothing follows here any more.
   * @returns null if there is something to send or to read, or if one side has closed: the connection is closed then
   */
  detach(): Socket | null {
    this.#transport.flush()
    const { socket } = this
    const isClean = socket.writable && socket.readable && socket.readableLength === 0 && this.unsentBytes === 0
    if (this.#closed || this.#error !== null || !isClean) {
      this.destroy()
      return null
    }
    this.#close()
    return socket
  }

  destroy(): void {
    this.#transport.destroy()
    this.#close()
  }

  onBytes(bytes: Buffer, count: number): void {
    this.sink?.onBytes(bytes, count)
  }

  onEnd(): void {
    this.sink?.onEnd()
  }

  onDrain(): void {
    this.sink?.onDrain()
  }

  onClose(): void {
    const sink = this.sink
    this.sink = null
    this.#close()
    sink?.onClose(this.#error)
  }

  /** Frees the place in the pool at once: the event may follow much later. */
  #close(): void {
    this.sink = null
    if (this.#closed) return
    this.#closed = true
    this.owner.closed(this)
  }
}
