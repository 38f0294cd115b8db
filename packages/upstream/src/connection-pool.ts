import type { Socket } from 'node:net'
import { connect } from './connect.ts'
import { type ConnectionOwner, type ConnectionSink, UpstreamConnection } from './connection.ts'
import { ExchangeClock } from './exchange-clock.ts'
import { LatencyHistogram } from './latency-histogram.ts'
import type { PoolFigures, PoolOptions, UpstreamTarget } from './pool-options.ts'
import { UpstreamError } from './upstream-error.ts'

/** Receives a connection, or the reason why there is none. */
export interface Acquirer {
  /** The connection is the receiver's, which sets its sink before it returns. */
  onConnection(connection: UpstreamConnection): void
  onError(error: UpstreamError): void
}

/** Receives an idle connection. @param idle milliseconds since its last use */
export type TakeIdle = (connection: UpstreamConnection, idle: number) => void

/** An idle connection is checked before it is used if it was idle for longer than this, in ms. */
const UNCHECKED = 100
/** The shortest time in ms between searches for idle connections that have expired. */
const SHORTEST_SWEEP = 20

/**
 * The connections of one process to one backend. Idle ones are read all the time, so one that the backend has closed is
 * noticed and not used again.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly clock: ExchangeClock
  readonly #options: PoolOptions
  /** Most recently used last. */
  readonly #idle: UpstreamConnection[]
  readonly #open: Set<UpstreamConnection>
  /** Attempts to connect: the function that ends each, and who waits for it. */
  readonly #attempts: Map<() => void, Acquirer>
  readonly #waiting: Wait[]
  readonly #latency: LatencyHistogram
  #sweep: NodeJS.Timeout | null
  #draining: boolean
  /** Null while idle connections are kept. */
  #giveAway: TakeIdle | null
  #onDrained: (() => void) | null
  #opened: number
  #reused: number
  #failed: number
  #retired: number
  #exchanges: number
  #errors: number
  #bytesSent: number
  #bytesReceived: number

  constructor(options: PoolOptions) {
    this.clock = new ExchangeClock()
    this.#options = options
    this.#idle = []
    this.#open = new Set()
    this.#attempts = new Map()
    this.#waiting = []
    this.#latency = new LatencyHistogram()
    this.#sweep = null
    this.#draining = false
    this.#giveAway = null
    this.#onDrained = null
    this.#opened = 0
    this.#reused = 0
    this.#failed = 0
    this.#retired = 0
    this.#exchanges = 0
    this.#errors = 0
    this.#bytesSent = 0
    this.#bytesReceived = 0
  }

  get target(): UpstreamTarget {
    return this.#options.target
  }

  get figures(): PoolFigures {
    return {
      open: this.#open.size,
      idle: this.#idle.length,
      connecting: this.#attempts.size,
      waiting: this.#waiting.length,
      opened: this.#opened,
      reused: this.#reused,
      failed: this.#failed,
      retired: this.#retired,
      exchanges: this.#exchanges,
      errors: this.#errors,
      bytesSent: this.#bytesSent,
      bytesReceived: this.#bytesReceived,
      latency: this.#latency.counts(),
    }
  }

  /**
   * Finds a connection: an idle one, or a new one, or waits until one is free. A connection that was used a moment ago
   * is passed on before this returns.
   * @param how `fresh` asks for a new connection, to repeat what a kept one has lost
   * @returns a function that gives up; it has no effect after the acquirer was called
   */
  acquire(acquirer: Acquirer, how: 'any' | 'fresh' = 'any'): () => void {
    const now = performance.now()
    const connection = how === 'fresh' ? null : this.#takeIdle(now)
    if (connection === null) return this.#acquireNew(acquirer)
    if (now - connection.idleSince < UNCHECKED) {
      this.#reused++
      connection.sink = null
      acquirer.onConnection(connection)
      return nothing
    }
    return this.#acquireChecked(connection, acquirer)
  }

  /** No connection is used again from now on. @param done called when the last one is closed */
  drain(done: () => void = nothing): void {
    this.#draining = true
    this.#onDrained = done
    for (const connection of [...this.#idle]) this.#retire(connection)
    this.#checkDrained()
  }

  /** Idle connections are given away from now on instead of kept. */
  giveAway(take: TakeIdle): void {
    this.#giveAway = take
    const now = performance.now()
    for (const connection of this.#idle.splice(0)) take(connection, now - connection.idleSince)
  }

  /** Makes an open socket a connection of this pool, which belongs to the caller; null if there are too many. */
  adopt(socket: Socket): UpstreamConnection | null {
    if (this.#draining || !this.#hasRoom() || socket.readableLength > 0) return null
    const connection = new UpstreamConnection(socket, this)
    connection.sink = this.#idleSink(connection)
    this.#open.add(connection)
    return connection
  }

  /** Takes the connections of another pool of the same backend, none of which is in use. */
  takeFrom(other: ConnectionPool): void {
    for (const connection of [...other.#open]) {
      if (!this.#hasRoom()) return other.drain()
      other.#open.delete(connection)
      this.#open.add(connection)
      connection.owner = this
      connection.sink = this.#idleSink(connection)
      const place = other.#idle.indexOf(connection)
      if (place >= 0) this.#idle.push(...other.#idle.splice(place, 1))
    }
  }

  /** Closes everything. Exchanges fail, and so do those that wait. */
  close(): void {
    this.#draining = true
    for (const wait of this.#waiting.splice(0)) wait.fail('acquire-timeout')
    for (const [giveUp, acquirer] of [...this.#attempts]) {
      giveUp()
      acquirer.onError(new UpstreamError('unreachable', { detail: 'the server stops' }))
    }
    for (const connection of [...this.#open]) connection.socket.destroy()
    this.#stopSweep()
    this.clock.stop()
  }

  release(connection: UpstreamConnection): void {
    if (!this.#options.reuse || this.#draining) return connection.destroy()
    const next = this.#waiting.shift()
    if (next !== undefined) {
      this.#reused++
      next.give(connection)
      return
    }
    if (this.#giveAway !== null && connection.idleSink === null) return this.#giveAway(connection, 0)
    connection.idleSince = performance.now()
    connection.sink = connection.idleSink ?? this.#idleSink(connection)
    this.#idle.push(connection)
    if (this.#options.ttl > 0 && this.#sweep === null) this.#startSweep(this.#options.ttl)
  }

  closed(connection: UpstreamConnection): void {
    this.#open.delete(connection)
    this.#leaveIdle(connection)
    this.#serveNext()
    this.#checkDrained()
  }

  exchangeEnded(sent: number, received: number, latency: number): void {
    this.#exchanges++
    this.#bytesSent += sent
    this.#bytesReceived += received
    if (latency < 0) this.#errors++
    else this.#latency.record(latency)
  }

  #takeIdle(now: number): UpstreamConnection | null {
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) return null
      const { ttl } = this.#options
      if (ttl === 0 || now - connection.idleSince <= ttl) return connection
      this.#retired++
      connection.destroy()
    }
  }

  /**
   * The end of a connection may have arrived with the event that this acquirer follows from. It is read before the check
   * phase of this turn of the loop.
   */
  #acquireChecked(connection: UpstreamConnection, acquirer: Acquirer): () => void {
    let wanted = true
    let giveUp = (): void => {
      wanted = false
    }
    setImmediate(() => {
      if (!wanted) {
        if (!connection.closed) this.#keepIdle(connection)
      } else if (connection.closed) giveUp = this.acquire(acquirer)
      else {
        this.#reused++
        connection.sink = null
        acquirer.onConnection(connection)
      }
    })
    return () => giveUp()
  }

  #keepIdle(connection: UpstreamConnection): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(connection)
    else next.give(connection)
  }

  #acquireNew(acquirer: Acquirer): () => void {
    if (this.#hasRoom()) return this.#connect(acquirer)
    const { queue, acquireTimeout } = this.#options
    if (queue >= 0 && this.#waiting.length >= queue) {
      acquirer.onError(new UpstreamError('queue-full'))
      return nothing
    }
    const wait = new Wait(acquirer, acquireTimeout, () => this.#stopWaiting(wait))
    this.#waiting.push(wait)
    return () => {
      wait.end()
      this.#stopWaiting(wait)
    }
  }

  #hasRoom(): boolean {
    const { max } = this.#options
    return max === 0 || this.#open.size + this.#attempts.size < max
  }

  #connect(acquirer: Acquirer): () => void {
    const giveUp = (): void => {
      stop()
      this.#attemptEnded(giveUp)
    }
    const stop = connect(this.#options, {
      connected: (socket) => this.#connected(socket, acquirer, giveUp),
      failed: (error) => {
        this.#failed++
        this.#attemptEnded(giveUp)
        acquirer.onError(error)
      },
    })
    this.#attempts.set(giveUp, acquirer)
    return giveUp
  }

  #connected(socket: Socket, acquirer: Acquirer, attempt: () => void): void {
    this.#opened++
    this.#attempts.delete(attempt)
    const connection = new UpstreamConnection(socket, this)
    this.#open.add(connection)
    acquirer.onConnection(connection)
  }

  #attemptEnded(attempt: () => void): void {
    if (!this.#attempts.delete(attempt)) return
    this.#serveNext()
    this.#checkDrained()
  }

  #serveNext(): void {
    if (this.#waiting.length === 0 || !this.#hasRoom()) return
    const next = this.#waiting.shift()
    next?.connect((acquirer) => this.#connect(acquirer))
  }

  #stopWaiting(wait: Wait): void {
    const index = this.#waiting.indexOf(wait)
    if (index >= 0) this.#waiting.splice(index, 1)
  }

  #idleSink(connection: UpstreamConnection): ConnectionSink {
    return new IdleSink(() => this.#retire(connection))
  }

  /** Closes an idle connection. */
  #retire(connection: UpstreamConnection): void {
    this.#retired++
    connection.destroy()
  }

  #leaveIdle(connection: UpstreamConnection): void {
    const index = this.#idle.lastIndexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
  }

  #startSweep(ttl: number): void {
    this.#sweep = setInterval(() => this.#sweepIdle(ttl), Math.max(SHORTEST_SWEEP, ttl / 2))
    this.#sweep.unref()
  }

  #sweepIdle(ttl: number): void {
    const { min, max, smax } = this.#options
    const kept = Math.max(min, smax < 0 ? (max === 0 ? Number.POSITIVE_INFINITY : max) : smax)
    const limit = performance.now() - ttl
    while (this.#idle.length > kept && this.#idle[0].idleSince <= limit) this.#retire(this.#idle[0])
    if (this.#idle.length === 0) this.#stopSweep()
  }

  #stopSweep(): void {
    if (this.#sweep !== null) clearInterval(this.#sweep)
    this.#sweep = null
  }

  #checkDrained(): void {
    if (!this.#draining || this.#open.size > 0 || this.#attempts.size > 0) return
    this.#stopSweep()
    this.clock.stop()
    const done = this.#onDrained
    this.#onDrained = null
    done?.()
  }
}

/** An acquirer for which there is no connection yet. */
class Wait {
  #acquirer: Acquirer | null
  #giveUp: (() => void) | null
  readonly #timer: NodeJS.Timeout | null
  readonly #expired: () => void

  constructor(acquirer: Acquirer, limit: number, expired: () => void) {
    this.#acquirer = acquirer
    this.#giveUp = null
    this.#expired = expired
    this.#timer = limit < 0 ? null : setTimeout(() => this.fail('acquire-timeout'), limit)
  }

  give(connection: UpstreamConnection): void {
    const acquirer = this.#acquirer
    this.end()
    connection.sink = null
    acquirer?.onConnection(connection)
  }

  connect(open: (acquirer: Acquirer) => () => void): void {
    const acquirer = this.#acquirer
    this.end()
    if (acquirer !== null) this.#giveUp = open(acquirer)
  }

  fail(code: 'acquire-timeout'): void {
    const acquirer = this.#acquirer
    this.end()
    this.#expired()
    acquirer?.onError(new UpstreamError(code))
  }

  end(): void {
    this.#acquirer = null
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#giveUp?.()
    this.#giveUp = null
  }
}

/** Whatever happens to an idle connection ends it: even bytes, which belong to no exchange. */
class IdleSink implements ConnectionSink {
  readonly #retire: () => void

  constructor(retire: () => void) {
    this.#retire = retire
  }

  onBytes(): void {
    this.#retire()
  }

  onEnd(): void {
    this.#retire()
  }

  onDrain(): void {}

  onClose(): void {}
}

function nothing(): void {}
