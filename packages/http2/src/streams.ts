import type { Http2Connection } from './connection.ts'
import type { Http2Exchange } from './exchange.ts'

/** Requests of a connection that begin in one turn of the loop; then other connections have their turn. */
const BEGUN_PER_TURN = 32

/** The streams of a connection. */
export class Streams {
  /** The highest number of a stream that the client has opened. */
  last = 0
  /** Requests that were passed to the host. */
  begun = 0
  readonly #connection: Http2Connection
  readonly #open = new Map<number, Http2Exchange>()
  /** Requests that the host does not know yet, in their order. */
  #ready: Http2Exchange[] = []
  /** Requests that the host has not answered, including those whose stream was reset. */
  #working = 0
  /** Open streams of the client. */
  #ofClient = 0

  constructor(connection: Http2Connection) {
    this.#connection = connection
  }

  /** Open streams, including pushed ones. */
  get size(): number {
    return this.#open.size
  }

  /** Open streams that the client has opened. */
  get ofClient(): number {
    return this.#ofClient
  }

  /** Requests that the host has not answered. */
  get working(): number {
    return this.#working
  }

  /** Requests that the host does not know yet. */
  get waiting(): number {
    return this.#ready.length
  }

  /** Requests wait for the next turn of the loop, so no further ones are parsed. */
  get isFull(): boolean {
    return this.waiting >= BEGUN_PER_TURN && !this.#isBusy
  }

  /** The host works on as many requests as streams may be open: those of reset streams count until they have ended. */
  get #isBusy(): boolean {
    return this.#working >= this.#connection.rules.maxStreams
  }

  get(id: number): Http2Exchange | undefined {
    return this.#open.get(id)
  }

  *[Symbol.iterator](): IterableIterator<Http2Exchange> {
    yield* this.#open.values()
  }

  /** The head of a request has arrived. */
  add(exchange: Http2Exchange): void {
    this.#open.set(exchange.id, exchange)
    if (exchange.pushedOn === 0) this.#ofClient++
    exchange.progressAt = this.#connection.engine.now
    exchange.isReady = true
    this.#ready.push(exchange)
  }

  remove(exchange: Http2Exchange): void {
    if (exchange.closed) return
    exchange.closed = true
    if (!this.#open.delete(exchange.id)) return
    if (exchange.pushedOn === 0) this.#ofClient--
    this.#connection.output.forget(exchange)
    // A client that resets what waits must not collect its heads here.
    if (exchange.isReady) this.#ready.splice(this.#ready.indexOf(exchange), 1)
    if (this.#open.size === 0) this.#connection.lifetime.idle()
  }

  /** Passes requests to the host. */
  begin(): void {
    const { engine } = this.#connection
    for (let count = 0; this.#ready.length > 0 && !this.#isBusy; ) {
      if (count === BEGUN_PER_TURN) return this.#connection.continueLater()
      const exchange = this.#ready.shift()
      if (exchange === undefined) return
      exchange.isReady = false
      count++
      exchange.begun = true
      this.#working++
      this.begun++
      engine.host.onRequest(exchange)
    }
  }

  /** The host has answered a request. */
  answered(exchange: Http2Exchange): void {
    if (!exchange.begun) return
    exchange.begun = false
    const wasBusy = this.#isBusy
    this.#working--
    if (wasBusy && this.#ready.length > 0) this.#connection.continueLater()
  }

  /** The connection ends: no stream is completed. */
  abandon(): void {
    for (const exchange of [...this.#open.values()]) {
      this.remove(exchange)
      exchange.abort()
    }
  }

  /** A pushed request: it begins with the next ones of the client. */
  push(exchange: Http2Exchange): void {
    this.add(exchange)
    this.#connection.continueLater()
  }
}
