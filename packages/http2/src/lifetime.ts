import type { ConnectionActivity } from '@gatewright/http'
import { NOT_DISPLACEABLE, Pace, ReadClock, rankOfIdle, rankOfReading, rankOfServed, WriteWatch } from '@gatewright/http/messages'
import type { Http2Connection } from './connection.ts'
import { ERROR } from './error-codes.ts'
import type { Http2Exchange } from './exchange.ts'

/** Ms until streams that are in transit have arrived, for a client that does not acknowledge the PING. */
const LEAVING_TIME = 1000

/** Ms between two measurements of how fast the streams of a connection move. */
const PACE_INTERVAL = 1000

const OPEN = 0
const LINGERING = 1
const CLOSED = 2

/** The time limits of a connection and its streams. Times are those of the engine's clock. */
export class Lifetime {
  readonly #connection: Http2Connection
  #state: number = OPEN
  /** Until a connection without streams closes, or a leaving one names its last stream; 0 for none. */
  #deadline = 0
  #leavingUntil = 0
  #idleSince: number
  /** Runs while a frame or a header block is incomplete. */
  #headClock: ReadClock | null = null
  #headSince = 0
  #writeWatch: WriteWatch | null = null
  readonly #bodyClocks = new Map<Http2Exchange, { readonly clock: ReadClock | null; since: number; bytes: number }>()
  /** Bytes of bodies that were sent and that have arrived. */
  #moved = 0
  /** How fast they move while streams are open; null without streams. */
  #pace: Pace | null = null
  #nextPaceAt = 0
  #inputEnded = false
  /** A client with many slow streams causes one line of each kind. */
  #hasReportedBody = false
  #hasReportedStall = false

  constructor(connection: Http2Connection) {
    this.#connection = connection
    this.#idleSince = connection.engine.now
  }

  get isClosed(): boolean {
    return this.#state === CLOSED
  }

  /** Nothing is sent any more. */
  get isClosing(): boolean {
    return this.#state !== OPEN
  }

  get activity(): ConnectionActivity {
    if (this.#state !== OPEN) return 'closing'
    const { streams, output } = this.#connection
    if (streams.working > 0) return output.hasWaiting ? 'writing' : 'working'
    return streams.begun === 0 ? 'reading' : 'keepAlive'
  }

  displacementRank(now: number): number {
    if (this.#state !== OPEN) return rankOfReading(now - this.#idleSince)
    const { streams, transport } = this.#connection
    if (transport.writableLength > 0) return this.#writeWatch === null ? NOT_DISPLACEABLE : rankOfServed(this.#writeWatch.pace)
    if (streams.size === 0) {
      return streams.begun === 0 ? rankOfReading(now - this.#idleSince) : rankOfIdle(now - this.#idleSince)
    }
    if (this.#pace === null) return NOT_DISPLACEABLE
    for (const exchange of streams) if (!this.#waitsForClient(exchange)) return NOT_DISPLACEABLE
    return rankOfServed(this.#pace.bytesPerSecond)
  }

  /** Whether only the client can continue the stream. */
  #waitsForClient(exchange: Http2Exchange): boolean {
    return exchange.outgoing.length > 0 || exchange.incoming.wantsInput
  }

  /** @returns false if nothing is read any more */
  received(count: number): boolean {
    if (this.#state !== OPEN) return false
    this.#headClock?.extend(count, this.#connection.engine.now)
    return true
  }

  /** No stream is open. */
  idle(): void {
    const { engine, settings, streams } = this.#connection
    this.#idleSince = engine.now
    this.#deadline = engine.deadline(streams.begun === 0 ? settings.timeout : settings.keepAliveTimeout)
  }

  /** So many bytes of bodies were sent or have arrived. */
  moved(count: number): void {
    this.#moved += count
  }

  /** All that has arrived was parsed: limits the time for the rest of what is incomplete. */
  settle(): void {
    const { engine, input, settings } = this.#connection
    if (input.length === 0 && !this.#connection.isReadingHead) {
      this.#headClock = null
      this.#headSince = 0
      return
    }
    if (this.#headSince === 0) this.#headSince = engine.now
    if (settings.headLimit !== null) this.#headClock ??= new ReadClock('header', settings.headLimit, engine.now, input.length)
  }

  /** A body waits for the client from now on, or no longer. */
  bodyWaits(exchange: Http2Exchange): void {
    if (!exchange.incoming.wantsInput || exchange.closed) {
      this.#bodyClocks.delete(exchange)
      return
    }
    const { now } = this.#connection.engine
    const known = this.#bodyClocks.get(exchange)
    if (known !== undefined) {
      known.clock?.extend(exchange.arrivedBytes - known.bytes, now)
      known.since = now
      known.bytes = exchange.arrivedBytes
      return
    }
    const limit = exchange.bodyLimit
    const clock = limit === null || exchange.tunnel !== null ? null : new ReadClock('body', limit, now, 0)
    this.#bodyClocks.set(exchange, { clock, since: now, bytes: exchange.arrivedBytes })
  }

  /** GOAWAY was sent. */
  limitLeaving(): void {
    this.#leavingUntil = this.#connection.engine.deadline(LEAVING_TIME)
  }

  /** The client sends nothing more. */
  inputEnded(): void {
    this.#inputEnded = true
    if (this.#state === LINGERING || this.#connection.streams.size === 0) this.#connection.transport.destroySoon()
    else this.#connection.departure.clientLeaves()
  }

  /** Everything was written; the client has some time to read it. */
  linger(): void {
    const { engine } = this.#connection
    this.#state = LINGERING
    this.#deadline = engine.now + (this.#inputEnded ? 0 : engine.limits.lingerSilence)
    this.#bodyClocks.clear()
  }

  end(): void {
    this.#state = CLOSED
    this.#bodyClocks.clear()
  }

  tick(now: number): void {
    if (this.#state === CLOSED) return
    this.#checkWriting(now)
    if (this.#state === LINGERING) {
      if (now >= this.#deadline && this.#connection.transport.writableLength === 0) this.#connection.transport.destroy()
      return
    }
    const { streams } = this.#connection
    if (this.#leavingUntil > 0 && now >= this.#leavingUntil) {
      this.#leavingUntil = 0
      this.#connection.departure.nameLastStream()
    }
    if (this.#state !== OPEN) return
    this.#checkReading(now)
    if (streams.size === 0) {
      this.#pace = null
      this.#connection.output.frames.shrink()
      if (now >= this.#deadline && this.#deadline > 0) this.#connection.departure.atOnce(ERROR.none)
      return
    }
    this.#measurePace(now)
    this.#checkStreams(now)
  }

  #measurePace(now: number): void {
    if (this.#pace !== null && now < this.#nextPaceAt) return
    this.#pace ??= new Pace()
    this.#nextPaceAt = now + PACE_INTERVAL
    this.#pace.measure(this.#moved, now)
  }

  #checkReading(now: number): void {
    const { engine, settings } = this.#connection
    const isLate = this.#headClock?.isOver(now) === true
    if (isLate) engine.host.onReadTimeout?.(this.#connection, 'header')
    if (isLate || (this.#headSince > 0 && now >= this.#headSince + settings.timeout))
      this.#connection.departure.atOnce(ERROR.none)
  }

  #checkStreams(now: number): void {
    const { engine, rules, settings, streams } = this.#connection
    for (const [exchange, wait] of [...this.#bodyClocks]) {
      const isLate = wait.clock?.isOver(now) === true
      if (!isLate && (exchange.tunnel !== null || now < wait.since + settings.timeout)) continue
      this.#bodyClocks.delete(exchange)
      if (isLate && !this.#hasReportedBody) {
        this.#hasReportedBody = true
        engine.host.onReadTimeout?.(this.#connection, 'body')
      }
      exchange.incoming.fail(TIMED_OUT)
    }
    const limit = rules.streamTimeout > 0 ? rules.streamTimeout : settings.timeout
    for (const exchange of [...streams]) {
      if (exchange.outgoing.length === 0 || now < exchange.progressAt + limit) continue
      if (!this.#hasReportedStall) {
        this.#hasReportedStall = true
        const text = `stream ${exchange.id} was reset: its client has taken nothing for ${limit / 1000} s`
        this.#connection.report('info', '', `${text}; further streams of this connection are reset without a line`)
      }
      this.#connection.reset(exchange, ERROR.cancel)
    }
  }

  #checkWriting(now: number): void {
    const { output, settings, transport } = this.#connection
    if (transport.writableLength === 0) {
      this.#writeWatch = null
      return
    }
    this.#writeWatch ??= new WriteWatch()
    if (this.#writeWatch.isStalled(transport, output.bytesOut, settings.timeout, now)) transport.destroy()
  }
}

const TIMED_OUT = { status: 408, note: '', log: null, silent: false }
