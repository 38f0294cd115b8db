import { performance } from 'node:perf_hooks'
import type { Preface } from '../preface.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { Successor } from '../successor.ts'
import type { Http1Connection } from './connection.ts'
import { Http1Exchange } from './exchange.ts'
import { NEED_MORE } from './field-section.ts'
import type { HeadReader } from './head-reader.ts'
import type { Lifetime } from './lifetime.ts'
import { BUSY, CLOSING, IDLE, LINGERING, READING_HEAD, SKIPPING_BODY } from './phase.ts'

/** No other protocols. */
const NONE: readonly Successor[] = []

/** After this many consecutive requests, other connections are served first. */
const REQUESTS_PER_TURN = 64
/** With more unsent data than this, no further request is started. */
const UNSENT_MAX = 256 * 1024
/** The system sends up to this many bytes without delay; it may queue more for a slow client. */
const SENT_IMMEDIATELY_MAX = 64 * 1024

/**
 * Reads the requests of one connection from its input and passes them to the host one after another. Reads
 * from the transport only what is wanted, and decides how the connection continues after each response.
 */
export class RequestReading {
  readonly #connection: Http1Connection
  readonly #lifetime: Lifetime
  #exchange: Http1Exchange | null
  #reader: HeadReader | null
  #advancing: boolean
  /** Further requests wait for the next turn of the loop. */
  #scheduled: boolean
  #waitsForDrain: boolean
  #inputEnded: boolean
  /** The first bytes are those of a request. */
  #openingPassed: boolean
  #paused: boolean

  constructor(connection: Http1Connection, lifetime: Lifetime) {
    this.#connection = connection
    this.#lifetime = lifetime
    this.#exchange = null
    this.#reader = null
    this.#advancing = false
    this.#scheduled = false
    this.#waitsForDrain = false
    this.#inputEnded = false
    this.#openingPassed = false
    this.#paused = false
  }

  /** The request that the host is processing, or whose body is being skipped. */
  get exchange(): Http1Exchange | null {
    return this.#exchange
  }

  /** Bytes were added to the input. */
  received(): void {
    if (this.#lifetime.phase <= READING_HEAD) {
      if (this.#scheduled || this.#waitsForDrain) this.#adjustReading()
      else this.#advance()
      return
    }
    const body = this.#exchange?.body ?? null
    if (body?.wantsInput === true) body.feed()
    else this.#adjustReading()
  }

  /** The client has closed its sending side. */
  inputEnded(): void {
    const { phase } = this.#lifetime
    this.#inputEnded = true
    if (phase <= READING_HEAD && !this.#openingPassed) this.#advance()
    else if (phase <= READING_HEAD) this.#settle()
    else if (phase === BUSY) this.#exchange?.body?.inputEnded()
    else this.closeWhenSent()
  }

  /** All pending writes are complete. */
  drained(): void {
    if (this.#lifetime.phase === BUSY) this.#exchange?.onDrain?.()
    if (!this.#waitsForDrain) return
    this.#waitsForDrain = false
    this.#advance()
  }

  /** The connection has closed. */
  abandon(): void {
    this.#dropInput()
    const exchange = this.#exchange
    this.#exchange = null
    exchange?.abort()
  }

  /** Another protocol has the connection from now on. */
  leave(): void {
    this.#exchange = null
    this.#releaseReader()
    if (this.#paused) this.#connection.transport.resume()
  }

  /** Closes without another request. */
  closeWhenSent(): void {
    this.#dropInput()
    this.#lifetime.closeWhenSent()
  }

  /** The exchange reports that its response is complete. */
  answered(exchange: Http1Exchange, persistent: boolean): void {
    if (exchange !== this.#exchange || this.#lifetime.phase !== BUSY) return
    if (exchange.refusal?.silent === true) {
      this.#connection.transport.destroy()
    } else if (!persistent || !exchange.persistencePossible) {
      this.#closeAfter(exchange)
    } else if (exchange.requestEnded) {
      this.#awaitNext()
    } else {
      this.#lifetime.beginSkipping()
      exchange.skipBody()
    }
  }

  /** The body has used all arrived bytes, or has paused. */
  bodyWaits(): void {
    const { phase } = this.#lifetime
    if (phase !== BUSY && phase !== SKIPPING_BODY) return
    const exchange = this.#exchange
    if (exchange?.body?.wantsInput !== true) {
      this.#lifetime.unlimitBody()
    } else if (this.#inputEnded) {
      exchange.body.inputEnded()
      return
    } else if (!exchange.body.isTunnel) {
      this.#lifetime.limitBody(exchange.bodyLimit)
    }
    this.#adjustReading()
  }

  /** The connection carries another protocol from now on, whose silence is the business of the host. */
  tunnelBegins(): void {
    this.#lifetime.unlimitBody()
    this.#lifetime.stopReadClock()
  }

  /** The body has been discarded, and the next request can be read. */
  bodySkipped(): void {
    if (this.#lifetime.phase === SKIPPING_BODY) this.#awaitNext()
  }

  /** The end of the body cannot be found. */
  bodyUnskippable(): void {
    if (this.#exchange !== null) this.#closeAfter(this.#exchange)
  }

  /** A part of a request, or what precedes it, has exceeded its time limit. A body that waits for the host does not exceed it. */
  timedOut(part: 'handshake' | 'header' | 'body'): void {
    const body = this.#exchange?.body ?? null
    if (part === 'body' && body?.wantsInput !== true) return
    this.#lifetime.stopReadClock()
    this.#connection.engine.host.onReadTimeout?.(this.#connection, part)
    if (part === 'handshake') this.#connection.destroy()
    else if (part === 'header') this.#headTimedOut()
    else body?.fail(refusal(408, null))
  }

  /** The deadline of the present phase has passed. */
  expired(): void {
    switch (this.#lifetime.phase) {
      case READING_HEAD:
        this.#headTimedOut()
        break
      case BUSY:
        this.#exchange?.body?.fail(refusal(408, null))
        break
      case LINGERING:
        this.#lifetime.endLingering()
        break
      case IDLE:
        this.#linger()
        break
      default:
        this.closeWhenSent()
    }
  }

  /** Processes requests that were postponed. */
  advanceNow(): void {
    this.#scheduled = false
    if (this.#lifetime.phase <= READING_HEAD) this.#advance()
  }

  /** Serves as many requests as the input contains and the host answers synchronously. */
  #advance(): void {
    if (this.#advancing) return
    const connection = this.#connection
    const lifetime = this.#lifetime
    const { engine, input, transport } = connection
    if (connection.preface !== null && !this.#passPreface(connection.preface)) return
    if (!this.#openingPassed && !this.#passOpening()) return
    this.#advancing = true
    let corked = false
    let served = 0
    while (lifetime.phase <= READING_HEAD && input.length > 0) {
      if (served === REQUESTS_PER_TURN) {
        this.#scheduled = true
        setImmediate(advanceLater, this)
        break
      }
      if (transport.writableLength > UNSENT_MAX) {
        this.#waitsForDrain = true
        break
      }
      const reader = (this.#reader ??= engine.takeReader())
      if (reader.read(connection) === NEED_MORE) {
        lifetime.beginHead()
        break
      }
      const exchange = reader.exchange
      this.#releaseReader()
      if (exchange === null) break
      if (!corked && input.length > 0) {
        corked = true
        transport.cork()
      }
      served++
      this.#dispatch(exchange)
    }
    if (corked) transport.uncork()
    this.#advancing = false
    this.#settle()
  }

  /**
   * Returns false while the preface is incomplete. A rejected preface ends the connection without a response.
   */
  #passPreface(preface: Preface): boolean {
    const connection = this.#connection
    const { bytes, start, end } = connection.input
    const taken = preface(bytes.subarray(start, end))
    if (taken === 'refuse') {
      this.closeWhenSent()
      return false
    }
    if (taken === 'more') {
      this.#settle()
      return false
    }
    connection.preface = null
    connection.input.skip(taken)
    return true
  }

  /** Returns false while the first bytes may be those of another protocol, and if they are. */
  #passOpening(): boolean {
    const connection = this.#connection
    const { input, engine } = connection
    if (input.length === 0) return true
    let isPossible = false
    for (const { opening, begin } of (this.#inputEnded ? undefined : engine.host.successorsOf?.(connection)) ?? NONE) {
      const count = Math.min(input.length, opening.length)
      if (opening.compare(input.bytes, input.start, input.start + count, 0, count) !== 0) continue
      if (count === opening.length) {
        connection.succeed(begin)
        return false
      }
      isPossible = true
    }
    if (isPossible) {
      this.#lifetime.beginHead()
      this.#settle()
      return false
    }
    this.#openingPassed = true
    return true
  }

  #dispatch(exchange: Http1Exchange): void {
    const connection = this.#connection
    this.#lifetime.beginRequest()
    this.#exchange = exchange
    connection.requestCount++
    connection.engine.host.onRequest(exchange)
  }

  /** After a round of requests, or the end of input: limits the time of what comes next. */
  #settle(): void {
    if (this.#lifetime.phase <= READING_HEAD && !this.#scheduled && !this.#waitsForDrain) {
      if (this.#inputEnded) {
        this.#endOfInput()
        return
      }
      this.#lifetime.limitHead()
    }
    this.#adjustReading()
  }

  /**
   * A head was truncated: within the request line the server closes silently, after it the client receives a
   * response.
   */
  #endOfInput(): void {
    const exchange = this.#reader?.exchange ?? null
    if (this.#reader === null || exchange === null) this.closeWhenSent()
    else this.#refuse(exchange, this.#reader.endOfInput(this.#connection, exchange))
  }

  #refuse(exchange: Http1Exchange, reason: Refusal): void {
    this.#releaseReader()
    exchange.refusal = reason
    this.#dispatch(exchange)
  }

  /** httpd answers 408 after the request line was read; before that it logs a first request and closes. */
  #headTimedOut(): void {
    const connection = this.#connection
    const exchange = this.#reader?.exchange ?? null
    if (this.#reader !== null && exchange !== null) {
      this.#refuse(exchange, this.#reader.timeOut(connection, exchange))
    } else if (connection.requestCount === 0) {
      this.#refuse(new Http1Exchange(connection, Date.now(), performance.now() * 1000), SILENT_TIMEOUT)
    } else {
      this.#linger()
    }
  }

  #awaitNext(): void {
    const connection = this.#connection
    this.#exchange = null
    this.#lifetime.awaitNext()
    connection.settings = connection.engine.host.settings(connection)
    this.#advance()
  }

  /**
   * If bytes arrive on a closed connection, the system resets it, and the client loses data that is still in
   * transit. If the client may be sending, or has much to receive, closing is therefore delayed.
   */
  #closeAfter(exchange: Http1Exchange): void {
    const { bytesOut, input } = this.#connection
    this.#exchange = null
    this.#lifetime.stopReadClock()
    const allRead = exchange.refusal === null && exchange.requestEnded && input.length === 0
    if (this.#inputEnded || (allRead && bytesOut <= SENT_IMMEDIATELY_MAX)) this.closeWhenSent()
    else this.#linger()
  }

  /** A reset must not destroy the last response of a client that is just sending its next request. */
  #linger(): void {
    this.#dropInput()
    this.#lifetime.linger()
    this.#adjustReading()
  }

  #dropInput(): void {
    this.#connection.input.clear()
    this.#releaseReader()
  }

  /** Reads while a consumer wants the bytes, or to detect that the client has closed the connection. */
  #adjustReading(): void {
    const { phase } = this.#lifetime
    const pause = phase === BUSY || phase <= READING_HEAD ? !this.#wantsInput(phase) : false
    if (pause === this.#paused || phase >= CLOSING) return
    this.#paused = pause
    if (pause) this.#connection.transport.pause()
    else this.#connection.transport.resume()
  }

  #wantsInput(phase: number): boolean {
    if (phase !== BUSY) return !this.#scheduled && !this.#waitsForDrain
    const body = this.#exchange?.body ?? null
    return this.#connection.input.length === 0 ? body?.paused !== true : body?.wantsInput === true
  }

  #releaseReader(): void {
    if (this.#reader === null) return
    this.#connection.engine.giveReader(this.#reader)
    this.#reader = null
  }
}

const SILENT_TIMEOUT: Refusal = { status: 408, note: '', log: null, silent: true }

function advanceLater(reading: RequestReading): void {
  reading.advanceNow()
}
