import { performance } from 'node:perf_hooks'
import type { BlockPool } from '../block-pool.ts'
import type { ClientConnection, ConnectionActivity } from '../client-connection.ts'
import type { ConnectionShare } from '../connection-shares.ts'
import { NOT_DISPLACEABLE, rankOfIdle, rankOfReading, rankOfServed } from '../displacement-rank.ts'
import type { HttpEngine } from '../engine.ts'
import type { HostCache } from '../host-cache.ts'
import { Input } from '../input.ts'
import type { Preface } from '../preface.ts'
import { ReadClock } from '../read-clock.ts'
import type { ReadTurns } from '../read-turns.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { ConnectionSettings } from '../settings.ts'
import type { Transport, TransportSink } from '../transport.ts'
import { WriteWatch } from '../write-watch.ts'
import { Http1Exchange } from './exchange.ts'
import { NEED_MORE } from './field-section.ts'
import type { HeadReader } from './head-reader.ts'

/** The phase of a connection. The order matters: up to READING_HEAD, the connection waits for a request. */
const FRESH = 0
const IDLE = 1
const READING_HEAD = 2
/** The host is processing a request. */
const BUSY = 3
/** The response is complete; the rest of the request's body is discarded before the next request. */
const SKIPPING_BODY = 4
/** The writing side is closed. Arriving data is discarded, so that the client can read the response. */
const LINGERING = 5
/** Closes as soon as everything is sent. */
const CLOSING = 6
const CLOSED = 7

/** After this many consecutive requests, other connections are served first. */
const REQUESTS_PER_TURN = 64
/** With more unsent data than this, no further request is started. */
const UNSENT_MAX = 256 * 1024
/** The system sends up to this many bytes without delay; it may queue more for a slow client. */
const SENT_IMMEDIATELY_MAX = 64 * 1024

/**
 * The state of one client connection: reads heads, passes exchanges to the host one after another, and closes
 * in a way that loses no response.
 */
export class HttpConnection implements ClientConnection, TransportSink {
  readonly transport: Transport
  /** Number of requests passed to the host, including the present one. */
  requestCount: number
  bytesIn: number
  bytesOut: number
  /** Belongs to the host. */
  data: unknown
  /** Set by the host before any data has arrived; null if the first bytes are those of a request. */
  preface: Preface | null
  /** For the engine: unused bytes. */
  readonly input: Input
  /** For the engine: the settings for the present request. */
  settings: ConnectionSettings
  /** For the engine: index in the registry. */
  slot: number
  /** For the engine: the connections of its client, including this one; null for a closed connection. */
  share: ConnectionShare | null

  readonly #engine: HttpEngine
  #phase: number
  #exchange: Http1Exchange | null
  #reader: HeadReader | null
  #advancing: boolean
  /** Further requests wait for the next turn of the loop. */
  #scheduled: boolean
  #waitsForDrain: boolean
  #inputEnded: boolean
  #readingPaused: boolean
  /** On the engine's clock, 0 = none. */
  #deadline: number
  #lingerUntil: number
  /** Runs while a response waits for its client. */
  #writeWatch: WriteWatch | null
  /** Runs while a head or body with a time limit is read. */
  #readClock: ReadClock | null

  constructor(engine: HttpEngine, transport: Transport) {
    this.transport = transport
    this.requestCount = 0
    this.bytesIn = 0
    this.bytesOut = 0
    this.data = null
    this.preface = null
    this.input = new Input()
    this.slot = -1
    this.share = null
    this.#engine = engine
    this.#phase = FRESH
    this.#exchange = null
    this.#reader = null
    this.#advancing = false
    this.#scheduled = false
    this.#waitsForDrain = false
    this.#inputEnded = false
    this.#readingPaused = false
    this.#deadline = 0
    this.#lingerUntil = 0
    this.#writeWatch = null
    this.#readClock = null
    this.settings = engine.host.settings(this)
    this.#expireIn(this.settings.timeout)
  }

  get remoteAddress(): string {
    return this.transport.remoteAddress
  }

  get remotePort(): number {
    return this.transport.remotePort
  }

  get localAddress(): string {
    return this.transport.localAddress
  }

  get localPort(): number {
    return this.transport.localPort
  }

  /**
   * The engine requires the connection to close: the host responds with `Connection: close`. False while
   * bytes after the request have arrived: the client has pipelined the next request, which would remain
   * unanswered.
   */
  get draining(): boolean {
    return this.#engine.draining && this.input.length === 0
  }

  /**
   * Kept alive, and no part of a next request has arrived. A connection that has not sent anything yet is not
   * idle.
   */
  get idle(): boolean {
    return this.#phase === IDLE && this.input.length === 0
  }

  get closed(): boolean {
    return this.#phase === CLOSED
  }

  /** The phase, for status pages. */
  get activity(): ConnectionActivity {
    switch (this.#phase) {
      case BUSY:
        return 'working'
      case IDLE:
        return this.transport.writableLength > 0 ? 'writing' : 'keepAlive'
      case LINGERING:
      case CLOSING:
      case CLOSED:
        return 'closing'
      default:
        return 'reading'
    }
  }

  /** For the engine: blocks for sending files. */
  get blocks(): BlockPool {
    return this.#engine.blocks
  }

  /** For the engine: when files may be read. */
  get readTurns(): ReadTurns {
    return this.#engine.readTurns
  }

  /** For the engine: Host fields that have been validated. */
  get knownHosts(): HostCache {
    return this.#engine.hosts
  }

  /** Closes: immediately if the host is processing a request, otherwise as soon as everything is sent. */
  close(): void {
    if (this.#phase === BUSY) this.transport.destroy()
    else this.#closeWhenSent()
  }

  /** Closes immediately; unsent data is lost. */
  destroy(): void {
    this.transport.destroy()
  }

  /** For the engine: closes immediately; the engine no longer counts the connection when this returns. */
  displace(): void {
    this.onClose()
    this.transport.destroy()
  }

  /** For the engine: its rank among the connections that may be displaced, see displacement-rank.ts. */
  displacementRank(now: number): number {
    if (this.transport.writableLength > 0)
      return this.#writeWatch === null ? NOT_DISPLACEABLE : rankOfServed(this.#writeWatch.pace)
    switch (this.#phase) {
      case FRESH:
        return rankOfReading(now - this.#begunAt(this.settings.timeout))
      case IDLE:
        return this.input.length > 0 ? NOT_DISPLACEABLE : rankOfIdle(now - this.#begunAt(this.settings.keepAliveTimeout))
      case READING_HEAD:
        return rankOfReading(now - (this.#readClock?.begunAt ?? this.#begunAt(this.settings.timeout)))
      case BUSY:
        return this.#exchange?.body?.wantsInput === true ? rankOfServed(this.#exchange.arrivalPace) : NOT_DISPLACEABLE
      case SKIPPING_BODY:
        return this.#exchange === null ? NOT_DISPLACEABLE : rankOfServed(this.#exchange.arrivalPace)
      case LINGERING:
        return rankOfReading(now - (this.#lingerUntil - this.#engine.limits.lingerTotal))
      default:
        return NOT_DISPLACEABLE
    }
  }

  /** When the present wait for a request began, calculated from its deadline. */
  #begunAt(timeout: number): number {
    return this.#deadline - this.#engine.deadline(timeout) + this.#engine.now
  }

  onBytes(bytes: Buffer, count: number): void {
    this.bytesIn += count
    const phase = this.#phase
    if (phase >= LINGERING) {
      if (phase === LINGERING) this.#keepLingering()
      return
    }
    this.#readClock?.extend(count, this.#engine.now)
    this.input.push(bytes, count)
    this.#useInput(phase)
    this.input.keep()
  }

  #useInput(phase: number): void {
    if (phase <= READING_HEAD) {
      if (this.#scheduled || this.#waitsForDrain) this.#adjustReading()
      else this.#advance()
      return
    }
    const body = this.#exchange?.body ?? null
    if (body?.wantsInput === true) body.feed()
    else this.#adjustReading()
  }

  onEnd(): void {
    this.#inputEnded = true
    if (this.#phase <= READING_HEAD) this.#settle()
    else if (this.#phase === BUSY) this.#exchange?.body?.inputEnded()
    else this.#closeWhenSent()
  }

  onDrain(): void {
    if (this.#phase === BUSY) this.#exchange?.onDrain?.()
    if (!this.#waitsForDrain) return
    this.#waitsForDrain = false
    this.#advance()
  }

  onClose(): void {
    if (this.#phase === CLOSED) return
    if (this.#phase === LINGERING) this.#engine.lingering--
    this.#phase = CLOSED
    this.#deadline = 0
    this.#readClock = null
    this.input.clear()
    this.#releaseReader()
    const exchange = this.#exchange
    this.#exchange = null
    exchange?.abort()
    this.#engine.remove(this)
  }

  /** For the exchange: its response is complete. */
  answered(exchange: Http1Exchange, persistent: boolean): void {
    if (exchange !== this.#exchange || this.#phase !== BUSY) return
    if (exchange.refusal?.silent === true) {
      this.transport.destroy()
    } else if (!persistent || !exchange.persistencePossible) {
      this.#closeAfter(exchange)
    } else if (exchange.requestEnded) {
      this.#awaitNext()
    } else {
      this.#phase = SKIPPING_BODY
      exchange.skipBody()
    }
  }

  /** For the body: it has used all arrived bytes, or has paused. */
  bodyWaits(): void {
    if (this.#phase !== BUSY && this.#phase !== SKIPPING_BODY) return
    const body = this.#exchange?.body ?? null
    const wants = body?.wantsInput === true
    if (wants && this.#inputEnded) {
      body.inputEnded()
      return
    }
    if (wants) this.#expireIn(this.settings.timeout)
    else this.#deadline = 0
    if (wants && this.#readClock === null) this.#startBodyClock()
    this.#adjustReading()
  }

  /** For the body: it has been discarded, and the next request can be read. */
  bodySkipped(): void {
    if (this.#phase === SKIPPING_BODY) this.#awaitNext()
  }

  /** For the body: its end cannot be found. */
  bodyUnskippable(): void {
    if (this.#exchange !== null) this.#closeAfter(this.#exchange)
  }

  /** For the engine, on each of its ticks. */
  tick(now: number): void {
    if (this.#readClock?.isOver(now) === true) this.#readTimedOut(this.#readClock)
    if (this.#deadline !== 0 && now >= this.#deadline) this.#expire()
    if (this.transport.writableLength === 0) {
      this.#writeWatch = null
      return
    }
    this.#writeWatch ??= new WriteWatch()
    if (this.#writeWatch.isStalled(this.transport, this.bytesOut, this.settings.timeout, now)) this.transport.destroy()
  }

  /** For the engine: processes requests that were postponed. */
  advanceNow(): void {
    this.#scheduled = false
    if (this.#phase <= READING_HEAD) this.#advance()
  }

  /** Serves as many requests as the input contains and the host answers synchronously. */
  #advance(): void {
    if (this.#advancing) return
    if (this.preface !== null && !this.#passPreface(this.preface)) return
    this.#advancing = true
    let corked = false
    let served = 0
    while (this.#phase <= READING_HEAD && this.input.length > 0) {
      if (served === REQUESTS_PER_TURN) {
        this.#scheduled = true
        setImmediate(advanceLater, this)
        break
      }
      if (this.transport.writableLength > UNSENT_MAX) {
        this.#waitsForDrain = true
        break
      }
      const reader = (this.#reader ??= this.#engine.takeReader())
      if (reader.read(this) === NEED_MORE) {
        this.#phase = READING_HEAD
        break
      }
      const exchange = reader.exchange
      this.#releaseReader()
      if (exchange === null) break
      if (!corked && this.input.length > 0) {
        corked = true
        this.transport.cork()
      }
      served++
      this.#dispatch(exchange)
    }
    if (corked) this.transport.uncork()
    this.#advancing = false
    this.#settle()
  }

  /**
   * Returns false while the preface is incomplete. A rejected preface ends the connection without a response.
   */
  #passPreface(preface: Preface): boolean {
    const { bytes, start, end } = this.input
    const taken = preface(bytes.subarray(start, end))
    if (taken === 'refuse') {
      this.#closeWhenSent()
      return false
    }
    if (taken === 'more') {
      this.#settle()
      return false
    }
    this.preface = null
    this.input.skip(taken)
    return true
  }

  #dispatch(exchange: Http1Exchange): void {
    this.#phase = BUSY
    this.#deadline = 0
    this.#readClock = null
    this.#exchange = exchange
    this.requestCount++
    this.#engine.host.onRequest(exchange)
  }

  /** After a round of requests, or the end of input: sets the next phase and its deadline. */
  #settle(): void {
    if (this.#phase <= READING_HEAD && !this.#scheduled && !this.#waitsForDrain) {
      if (this.#inputEnded) {
        this.#endOfInput()
        return
      }
      if (this.#phase === IDLE) this.#expireIn(this.settings.keepAliveTimeout)
      else if (this.#phase === READING_HEAD) this.#expireInHead()
    }
    this.#adjustReading()
  }

  #expireInHead(): void {
    this.#expireIn(this.settings.timeout)
    const { headLimit } = this.settings
    if (headLimit !== null) this.#readClock ??= new ReadClock('header', headLimit, this.#engine.now, this.input.length)
  }

  #startBodyClock(): void {
    const limit = this.#exchange?.bodyLimit ?? null
    if (limit !== null) this.#readClock = new ReadClock('body', limit, this.#engine.now, 0)
  }

  /** A body that waits for the host does not exceed its time limit. */
  #readTimedOut(clock: ReadClock): void {
    const body = this.#exchange?.body ?? null
    if (clock.part === 'body' && body?.wantsInput !== true) return
    this.#readClock = null
    this.#engine.host.onReadTimeout?.(this, clock.part)
    if (clock.part === 'header') this.#headTimedOut()
    else body?.fail(refusal(408, null))
  }

  /**
   * A head was truncated: within the request line the server closes silently, after it the client receives a
   * response.
   */
  #endOfInput(): void {
    const exchange = this.#reader?.exchange ?? null
    if (this.#reader === null || exchange === null) this.#closeWhenSent()
    else this.#refuse(exchange, this.#reader.endOfInput(this, exchange))
  }

  #refuse(exchange: Http1Exchange, reason: Refusal): void {
    this.#releaseReader()
    exchange.refusal = reason
    this.#dispatch(exchange)
  }

  #expire(): void {
    this.#deadline = 0
    switch (this.#phase) {
      case READING_HEAD:
        this.#headTimedOut()
        break
      case BUSY:
        this.#exchange?.body?.fail(refusal(408, null))
        break
      case LINGERING:
        // The write deadline applies to a response that is still being sent.
        if (this.transport.writableLength === 0) this.transport.destroy()
        else this.#beginLingering()
        break
      case IDLE:
        this.#linger()
        break
      default:
        this.#closeWhenSent()
    }
  }

  /** httpd answers 408 after the request line was read; before that it logs a first request and closes. */
  #headTimedOut(): void {
    const exchange = this.#reader?.exchange ?? null
    if (this.#reader !== null && exchange !== null) {
      this.#refuse(exchange, this.#reader.timeOut(this, exchange))
    } else if (this.requestCount === 0) {
      this.#refuse(new Http1Exchange(this, Date.now(), performance.now() * 1000), SILENT_TIMEOUT)
    } else {
      this.#linger()
    }
  }

  #awaitNext(): void {
    this.#exchange = null
    this.#readClock = null
    this.#phase = IDLE
    this.settings = this.#engine.host.settings(this)
    this.#advance()
  }

  /**
   * If bytes arrive on a closed connection, the system resets it, and the client loses data that is still in
   * transit. If the client may be sending, or has much to receive, closing is therefore delayed.
   */
  #closeAfter(exchange: Http1Exchange): void {
    this.#exchange = null
    this.#readClock = null
    const allRead = exchange.refusal === null && exchange.requestEnded && this.input.length === 0
    this.input.clear()
    if (this.#inputEnded || (allRead && this.bytesOut <= SENT_IMMEDIATELY_MAX)) this.#closeWhenSent()
    else this.#linger()
  }

  /** A reset must not destroy the last response of a client that is just sending its next request. */
  #linger(): void {
    this.#releaseReader()
    this.input.clear()
    if (this.#engine.lingering >= this.#engine.limits.lingerMax) {
      this.#closeWhenSent()
      return
    }
    this.#engine.lingering++
    this.#phase = LINGERING
    this.#beginLingering()
    this.transport.end()
    this.#adjustReading()
  }

  #beginLingering(): void {
    this.#lingerUntil = this.#engine.now + this.#engine.limits.lingerTotal
    this.#keepLingering()
  }

  #keepLingering(): void {
    this.#expireIn(this.#engine.limits.lingerSilence)
    if (this.#deadline > this.#lingerUntil) this.#deadline = this.#lingerUntil
  }

  #closeWhenSent(): void {
    if (this.#phase === CLOSED || this.#phase === CLOSING) return
    if (this.#phase === LINGERING) this.#engine.lingering--
    this.#phase = CLOSING
    this.#deadline = 0
    this.#readClock = null
    this.input.clear()
    this.#releaseReader()
    this.transport.destroySoon()
  }

  /** Reads while a consumer wants the bytes, or to detect that the client has closed the connection. */
  #adjustReading(): void {
    const pause = this.#phase === BUSY || this.#phase <= READING_HEAD ? !this.#wantsInput() : false
    if (pause === this.#readingPaused || this.#phase >= CLOSING) return
    this.#readingPaused = pause
    if (pause) this.transport.pause()
    else this.transport.resume()
  }

  #wantsInput(): boolean {
    if (this.#phase !== BUSY) return !this.#scheduled && !this.#waitsForDrain
    return this.input.length === 0 ? this.#exchange?.body?.paused !== true : this.#exchange?.body?.wantsInput === true
  }

  #releaseReader(): void {
    if (this.#reader === null) return
    this.#engine.giveReader(this.#reader)
    this.#reader = null
  }

  #expireIn(ms: number): void {
    this.#deadline = this.#engine.deadline(ms)
  }
}

const SILENT_TIMEOUT: Refusal = { status: 408, note: '', log: null, silent: true }

function advanceLater(connection: HttpConnection): void {
  connection.advanceNow()
}
