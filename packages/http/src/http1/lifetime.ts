import { NOT_DISPLACEABLE, rankOfIdle, rankOfReading, rankOfServed } from '../displacement-rank.ts'
import type { ConnectionActivity } from '../engine-connection.ts'
import { ReadClock } from '../read-clock.ts'
import type { ReadTimeLimit } from '../settings.ts'
import { WriteWatch } from '../write-watch.ts'
import type { Http1Connection } from './connection.ts'
import type { Http1Exchange } from './exchange.ts'
import { BUSY, CLOSED, CLOSING, FRESH, IDLE, LINGERING, READING_HEAD, SKIPPING_BODY } from './phase.ts'

/** The phase of one connection, the time limits of each phase, and the ways to close. */
export class Lifetime {
  readonly #connection: Http1Connection
  #phase: number
  /** On the engine's clock, 0 = none. */
  #deadline: number
  #lingerUntil: number
  /** Runs while a response waits for its client. */
  #writeWatch: WriteWatch | null
  /** Runs while a head or body with a time limit is read. */
  #readClock: ReadClock | null

  constructor(connection: Http1Connection) {
    this.#connection = connection
    this.#phase = FRESH
    this.#deadline = 0
    this.#lingerUntil = 0
    this.#writeWatch = null
    this.#readClock = null
  }

  /** One of the constants in phase.ts. */
  get phase(): number {
    return this.#phase
  }

  get activity(): ConnectionActivity {
    switch (this.#phase) {
      case BUSY:
        return 'working'
      case IDLE:
        return this.#connection.transport.writableLength > 0 ? 'writing' : 'keepAlive'
      case LINGERING:
      case CLOSING:
      case CLOSED:
        return 'closing'
      default:
        return 'reading'
    }
  }

  /** @param exchange the present one, if any */
  displacementRank(now: number, exchange: Http1Exchange | null): number {
    const { engine, settings, transport } = this.#connection
    if (transport.writableLength > 0) return this.#writeWatch === null ? NOT_DISPLACEABLE : rankOfServed(this.#writeWatch.pace)
    switch (this.#phase) {
      case FRESH:
        return rankOfReading(now - this.#begunAt(settings.timeout))
      case IDLE:
        return this.#connection.input.length > 0 ? NOT_DISPLACEABLE : rankOfIdle(now - this.#begunAt(settings.keepAliveTimeout))
      case READING_HEAD:
        return rankOfReading(now - (this.#readClock?.begunAt ?? this.#begunAt(settings.timeout)))
      case BUSY:
        return exchange?.body?.wantsInput === true ? rankOfServed(exchange.arrivalPace) : NOT_DISPLACEABLE
      case SKIPPING_BODY:
        return exchange === null ? NOT_DISPLACEABLE : rankOfServed(exchange.arrivalPace)
      case LINGERING:
        return rankOfReading(now - (this.#lingerUntil - engine.limits.lingerTotal))
      default:
        return NOT_DISPLACEABLE
    }
  }

  /** When the present wait for a request began, calculated from its deadline. */
  #begunAt(timeout: number): number {
    const { engine } = this.#connection
    return this.#deadline - engine.deadline(timeout) + engine.now
  }

  /** A part of a head has arrived. */
  beginHead(): void {
    this.#phase = READING_HEAD
  }

  /** The host receives a request. */
  beginRequest(): void {
    this.#phase = BUSY
    this.#deadline = 0
    this.#readClock = null
  }

  /** The response is complete, but a part of the request body is still unread. */
  beginSkipping(): void {
    this.#phase = SKIPPING_BODY
  }

  /** The response and the request are complete. The deadline follows when the input has been examined. */
  awaitNext(): void {
    this.#readClock = null
    this.#phase = IDLE
  }

  /** @returns false if the connection is closing, so that the bytes are discarded */
  received(count: number): boolean {
    if (this.#phase >= LINGERING) {
      if (this.#phase === LINGERING) this.#keepLingering()
      return false
    }
    this.#readClock?.extend(count, this.#connection.engine.now)
    return true
  }

  /** Limits the time until the first bytes of the first request. */
  limitFirst(): void {
    this.#expireIn(this.#connection.settings.timeout)
  }

  /** Limits the time of what a layer does before the first request. */
  limitHandshake(): void {
    const { engine, settings } = this.#connection
    if (settings.handshakeLimit !== null) this.#readClock = new ReadClock('handshake', settings.handshakeLimit, engine.now, 0)
  }

  /** The layer has received bytes. */
  receivedByLayer(count: number): void {
    this.#readClock?.extend(count, this.#connection.engine.now)
  }

  /** Limits the time until the next request begins, or until the rest of its head arrives. */
  limitHead(): void {
    const { engine, input, settings } = this.#connection
    if (this.#phase === IDLE) {
      this.#expireIn(settings.keepAliveTimeout)
    } else if (this.#phase === READING_HEAD) {
      this.#expireIn(settings.timeout)
      if (settings.headLimit !== null) this.#readClock ??= new ReadClock('header', settings.headLimit, engine.now, input.length)
    }
  }

  /** Limits the time until the next bytes of a body arrive, and with `limit` that of the whole body. */
  limitBody(limit: ReadTimeLimit | null): void {
    const { engine, settings } = this.#connection
    this.#expireIn(settings.timeout)
    if (limit !== null) this.#readClock ??= new ReadClock('body', limit, engine.now, 0)
  }

  /** The body waits for the host, not for its client. */
  unlimitBody(): void {
    this.#deadline = 0
  }

  stopReadClock(): void {
    this.#readClock = null
  }

  /** The part of a request that has exceeded its time limit. */
  latePart(now: number): 'handshake' | 'header' | 'body' | null {
    return this.#readClock?.isOver(now) === true ? this.#readClock.part : null
  }

  /** Whether the deadline has passed; true only once for each deadline. */
  hasExpired(now: number): boolean {
    if (this.#deadline === 0 || now < this.#deadline) return false
    this.#deadline = 0
    return true
  }

  /** Closes if the client has received nothing of a pending response for the whole of Timeout. */
  checkWriting(now: number): void {
    const { bytesOut, settings, transport } = this.#connection
    if (transport.writableLength === 0) {
      this.#writeWatch = null
      return
    }
    this.#writeWatch ??= new WriteWatch()
    if (this.#writeWatch.isStalled(transport, bytesOut, settings.timeout, now)) transport.destroy()
  }

  /** Closes the writing side, and the connection once the client is silent; at once if too many linger. */
  linger(): void {
    const { engine, transport } = this.#connection
    if (engine.lingering >= engine.limits.lingerMax) {
      this.closeWhenSent()
      return
    }
    engine.lingering++
    this.#phase = LINGERING
    this.#beginLingering()
    transport.end()
  }

  /** The client was silent, or has sent for too long, while the connection lingered. */
  endLingering(): void {
    const { transport } = this.#connection
    // The write deadline applies to a response that is still being sent.
    if (transport.writableLength === 0) transport.destroy()
    else this.#beginLingering()
  }

  closeWhenSent(): void {
    if (this.#phase >= CLOSING) return
    this.#leave(CLOSING)
    this.#connection.transport.destroySoon()
  }

  /** The transport has closed. */
  end(): void {
    this.#leave(CLOSED)
  }

  #leave(phase: number): void {
    if (this.#phase === LINGERING) this.#connection.engine.lingering--
    this.#phase = phase
    this.#deadline = 0
    this.#readClock = null
  }

  #beginLingering(): void {
    const { engine } = this.#connection
    this.#lingerUntil = engine.now + engine.limits.lingerTotal
    this.#keepLingering()
  }

  #keepLingering(): void {
    this.#expireIn(this.#connection.engine.limits.lingerSilence)
    if (this.#deadline > this.#lingerUntil) this.#deadline = this.#lingerUntil
  }

  #expireIn(ms: number): void {
    this.#deadline = this.#connection.engine.deadline(ms)
  }
}
