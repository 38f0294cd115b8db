import type { ConnectionSink, UpstreamConnection } from './connection.ts'
import type { Watched } from './exchange-clock.ts'
import { ProgressWatch } from './progress-watch.ts'
import type { StreamedExchange } from './response-stream.ts'
import { UpstreamError } from './upstream-error.ts'

/** Receives what a backend sends. No calls follow onEnd and onError. */
export interface PlainListener {
  /** Valid only during the call. */
  onData(bytes: Buffer): void
  /** The backend has closed its sending side. */
  onEnd(): void
  onError(error: UpstreamError): void
}

/**
 * A request to a backend whose bytes are those of the caller. The response ends with the connection, as in SCGI, or when the
 * caller has found its end (`complete`).
 */
export class PlainExchange implements ConnectionSink, Watched, StreamedExchange {
  bytesSent: number
  bytesReceived: number
  readonly trailers = null
  readonly #connection: UpstreamConnection
  readonly #listener: PlainListener
  readonly #timeout: number
  readonly #progress: ProgressWatch
  readonly #startedAt: number
  #held: Buffer[]
  #isPaused: boolean
  #isSent: boolean
  #isDone: boolean
  #drained: (() => void) | null

  /** @param timeout without progress, in ms; 0 = no limit */
  constructor(connection: UpstreamConnection, timeout: number, listener: PlainListener) {
    this.bytesSent = 0
    this.bytesReceived = 0
    this.#connection = connection
    this.#listener = listener
    this.#timeout = timeout
    this.#progress = new ProgressWatch(connection)
    this.#startedAt = performance.now() * 1000
    this.#held = []
    this.#isPaused = false
    this.#isSent = false
    this.#isDone = false
    this.#drained = null
    connection.sink = this
    if (timeout > 0) connection.owner.clock.add(this, timeout)
  }

  get isDone(): boolean {
    return this.#isDone
  }

  /** Sends bytes, which must not change until they are sent. Returns false if the caller should wait for `drained`. */
  write(bytes: Buffer): boolean {
    if (this.#isDone) return true
    this.bytesSent += bytes.length
    this.#progress.made = true
    return this.#connection.write(bytes)
  }

  /** The request is complete: from now on the backend has to answer in time. */
  endRequest(): void {
    this.#isSent = true
    this.#progress.made = true
  }

  /** The client has to send more first: until `endRequest`, the backend does not have to send anything. */
  waitForClient(): void {
    this.#isSent = false
  }

  /** Ends the exchange after a complete response. The connection is the caller's, who releases or destroys it. */
  complete(): void {
    if (this.#isDone) return
    this.#leave()
    this.#connection.sink = null
    this.#connection.resume()
  }

  /** Sends a body at the pace of the backend. @throws if the client does not send what it announced */
  async sendBody(body: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of body) {
      if (this.#isDone) return
      // A filter may use the bytes again before they are sent.
      if (!this.write(Buffer.from(chunk))) await this.#drain()
    }
    this.endRequest()
  }

  pause(): void {
    if (this.#isDone || this.#isPaused) return
    this.#isPaused = true
    this.#connection.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#progress.made = true
    for (const bytes of this.#held.splice(0)) this.#listener.onData(bytes)
    if (!this.#isDone && !this.#isPaused) this.#connection.resume()
  }

  /** Ends the exchange and its connection. The listener is not called any more. */
  abort(): void {
    if (this.#isDone) return
    this.#leave()
    this.#connection.destroy()
  }

  onBytes(bytes: Buffer, count: number): void {
    this.bytesReceived += count
    this.#progress.made = true
    const part = bytes.subarray(0, count)
    if (this.#isPaused) this.#held.push(Buffer.from(part))
    else this.#listener.onData(part)
  }

  onDrain(): void {
    this.#drained?.()
  }

  onEnd(): void {
    this.#close(null)
  }

  onClose(error: Error | null): void {
    this.#close(error)
  }

  tick(now: number): void {
    const stalled = this.#progress.stalled(now, this.#timeout, !this.#isPaused && this.#isSent)
    if (stalled === 'no') return
    const code = stalled === 'sending' ? 'send-timeout' : this.bytesReceived === 0 ? 'head-timeout' : 'body-timeout'
    this.#fail(new UpstreamError(code, { received: this.bytesReceived }))
  }

  #close(cause: Error | null): void {
    if (this.#isDone) return
    // Nothing can be read later: what was held back is passed on now.
    this.#isPaused = false
    for (const bytes of this.#held.splice(0)) this.#listener.onData(bytes)
    if (cause !== null) return this.#fail(new UpstreamError('truncated', { cause, received: this.bytesReceived }))
    if (this.isDone) return
    this.#leave()
    this.#connection.destroy()
    this.#listener.onEnd()
  }

  #fail(error: UpstreamError): void {
    if (this.#isDone) return
    this.#leave()
    this.#connection.destroy()
    this.#listener.onError(error)
  }

  #leave(): void {
    this.#isDone = true
    this.#drained?.()
    const { owner } = this.#connection
    owner.clock.remove(this)
    const latency = this.bytesReceived === 0 ? -1 : performance.now() * 1000 - this.#startedAt
    owner.exchangeEnded(this.bytesSent, this.bytesReceived, latency)
  }

  #drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained = () => {
        this.#drained = null
        resolve()
      }
    })
  }
}
