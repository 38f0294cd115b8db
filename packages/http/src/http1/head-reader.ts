import { performance } from 'node:perf_hooks'
import { HTTP_0_9 } from '../http-version.ts'
import type { Input } from '../input.ts'
import { logLine, type Refusal, refusal } from '../refusal.ts'
import type { ConnectionSettings } from '../settings.ts'
import { append } from './chunked-decoder.ts'
import type { Http1Connection } from './connection.ts'
import { Http1Exchange } from './exchange.ts'
import { COMPLETE, FieldSection, NEED_MORE, REFUSED, type ReadStatus } from './field-section.ts'
import { EMPTY_LINES_MAX, findLineFeed, LINE_MISSING, LINE_TOO_LONG, refuseLongLine, takeRequestLine } from './first-line.ts'
import { judgeFields } from './judge-fields.ts'

/**
 * Reads one request head from a connection's input, in as many parts as arrive. A connection has a reader
 * only while a head is being read.
 */
export class HeadReader {
  /** The request, from its request line on. */
  exchange: Http1Exchange | null
  readonly #section: FieldSection
  #emptyLines: number
  /** Number of bytes of the request line that are known to contain no line end. */
  #searched: number
  #received: number
  #lineTooLong: boolean

  constructor() {
    this.exchange = null
    this.#section = new FieldSection()
    this.#emptyLines = 0
    this.#searched = 0
    this.#received = 0
    this.#lineTooLong = false
  }

  reset(): void {
    this.exchange = null
    this.#section.reset()
    this.#emptyLines = 0
    this.#searched = 0
    this.#received = 0
    this.#lineTooLong = false
  }

  /** With COMPLETE and REFUSED there is an exchange; with REFUSED its refusal is set. */
  read(connection: Http1Connection): ReadStatus {
    const before = connection.input.length
    let status: ReadStatus = COMPLETE
    if (this.exchange === null) status = this.#readLine(connection)
    const exchange = this.exchange
    if (exchange === null) {
      this.#received += before - connection.input.length
      return NEED_MORE
    }
    if (status === COMPLETE) {
      // HTTP/0.9 has no fields, but its target can contain a host.
      status = exchange.version === HTTP_0_9 ? judged(exchange, connection.settings) : this.#readFields(connection, exchange)
    }
    this.#received += before - connection.input.length
    exchange.bytesReceived = this.#received + (status === REFUSED ? this.#readOfFaulty(connection.input) : 0)
    return status
  }

  /** The client closed its sending side between the request line and the end of the fields. */
  endOfInput(connection: Http1Connection, exchange: Http1Exchange): Refusal {
    this.#section.seal(connection.input, exchange.fields)
    exchange.bytesReceived += connection.input.length
    return withLast(this.#section.refuseEnd(connection.input))
  }

  /** The refusal of a head that did not arrive in time. */
  timeOut(connection: Http1Connection, exchange: Http1Exchange): Refusal {
    this.#section.seal(connection.input, exchange.fields)
    exchange.bytesReceived += connection.input.length
    return refusal(408, HEADERS_FAILED)
  }

  /**
   * Number of bytes of a rejected head that were read but not taken: httpd reads to the end of the line that
   * contains the fault.
   */
  #readOfFaulty(input: Input): number {
    if (this.#section.refusal !== null) return this.#section.examined(input)
    if (!this.#lineTooLong) return 0
    const lineFeed = input.bytes.indexOf(LF, input.start)
    return lineFeed < 0 || lineFeed >= input.end ? input.length : lineFeed + 1 - input.start
  }

  #readFields(connection: Http1Connection, exchange: Http1Exchange): ReadStatus {
    const { input, settings } = connection
    const status = this.#section.read(input, exchange.fields, settings)
    if (status === REFUSED && this.#section.refusal !== null) exchange.refusal = withLast(this.#section.refusal)
    if (status !== COMPLETE) return status
    return judged(exchange, settings)
  }

  #readLine(connection: Http1Connection): ReadStatus {
    const { input, settings } = connection
    for (;;) {
      const lineFeed = findLineFeed(input, input.start + this.#searched, settings.limitRequestLine)
      if (lineFeed === LINE_MISSING) {
        this.#searched = input.length
        return NEED_MORE
      }
      this.#searched = 0
      // RFC 9112 section 2.2: a server should ignore at least one empty line.
      const empty = lineFeed === input.start ? !settings.strict : lineFeed === input.start + 1 && input.bytes[input.start] === CR
      if (empty && this.#emptyLines < EMPTY_LINES_MAX) {
        this.#emptyLines++
        input.skip(lineFeed + 1 - input.start)
        continue
      }
      const exchange = new Http1Exchange(connection, Date.now(), performance.now() * 1000)
      this.exchange = exchange
      this.#lineTooLong = lineFeed === LINE_TOO_LONG
      exchange.refusal =
        lineFeed === LINE_TOO_LONG
          ? refuseLongLine(input, exchange, settings)
          : takeRequestLine(input, lineFeed, exchange, settings)
      return exchange.refusal === null ? COMPLETE : REFUSED
    }
  }
}

function judged(exchange: Http1Exchange, settings: ConnectionSettings): ReadStatus {
  exchange.refusal = judgeFields(exchange, settings)
  return exchange.refusal === null ? COMPLETE : REFUSED
}

const CR = 13
const LF = 10
const HEADERS_FAILED = logLine('AH00567', 'request failed: error reading the headers')

function withLast(reason: Refusal): Refusal {
  return { ...reason, log: append(reason.log, HEADERS_FAILED) }
}
