import type {
  ClientConnection,
  ConnectionActivity,
  ConnectionSettings,
  ConnectionShare,
  EngineConnection,
  HttpEngine,
  Preface,
  TrafficObserver,
  Transport,
} from '@gatewright/http'
import { Input } from '@gatewright/http/messages'
import { ClientBudgets } from './client-budgets.ts'
import { Departure } from './departure.ts'
import { ConnectionError, ERROR, errorName } from './error-codes.ts'
import { Http2Exchange, type StreamRequest } from './exchange.ts'
import { FrameHandler } from './frame-handler.ts'
import { FrameReader } from './frame-reader.ts'
import { FRAME, INITIAL_WINDOW, LARGEST, SETTING } from './frames.ts'
import type { ConnectionRules, Http2Host, Http2Start } from './http2-settings.ts'
import { Lifetime } from './lifetime.ts'
import { Output } from './output.ts'
import { PeerSettings } from './peer-settings.ts'
import { Pushes } from './pushes.ts'
import { ResponseHeads } from './response-heads.ts'
import { Streams } from './streams.ts'

/** Bytes that a client may send on all streams before they are consumed. */
const CONNECTION_WINDOW = 1024 * 1024

/** One client connection of HTTP/2 (RFC 9113): its streams are exchanges of the engine's host. */
export class Http2Connection implements EngineConnection {
  readonly engine: HttpEngine
  readonly transport: Transport
  readonly rules: ConnectionRules
  readonly isSecured: boolean
  readonly number: number
  readonly peer: PeerSettings = new PeerSettings()
  readonly output: Output
  readonly streams: Streams
  readonly pushes: Pushes
  readonly heads: ResponseHeads = new ResponseHeads(this)
  readonly budgets: ClientBudgets
  readonly lifetime: Lifetime
  readonly departure: Departure = new Departure(this)
  readonly input: Input = new Input()
  readonly settings: ConnectionSettings
  data: unknown
  preface: Preface | null = null
  slot = -1
  share: ConnectionShare | null = null
  bytesIn = 0
  /** Bytes that the client may still send on the connection, and those that were consumed since the last WINDOW_UPDATE. */
  receiveWindow: number = INITIAL_WINDOW
  consumedBytes = 0
  readonly #host: Http2Host
  readonly #handler: FrameHandler
  readonly #reader: FrameReader
  #isContinuing = false
  /** Nothing is read any more. */
  #isRefused = false
  #isPaused = false

  constructor(
    engine: HttpEngine,
    transport: Transport,
    former: ClientConnection,
    { rules, host, settings, isSecured, expectsPreface, number }: Http2Start,
  ) {
    this.engine = engine
    this.transport = transport
    this.rules = rules
    this.isSecured = isSecured
    this.number = number
    this.#host = host
    this.data = former.data
    this.settings = settings
    const connection = this
    this.output = new Output(
      {
        get now() {
          return engine.now
        },
        get frameSize() {
          return connection.frameSize
        },
        padding: rules.padding,
        broken: (error) => this.broken(error),
        ended: (exchange) => exchange.complete(),
        progressed: (bytes) => {
          connection.lifetime.moved(bytes)
          connection.budgets.worked(bytes)
        },
      },
      transport,
    )
    this.budgets = new ClientBudgets(engine.now)
    this.streams = new Streams(this)
    this.pushes = new Pushes(this)
    this.lifetime = new Lifetime(this)
    this.#handler = new FrameHandler(this)
    this.#reader = new FrameReader(this.#handler, expectsPreface)
  }

  /** Sends the settings of this side: the first thing that the client receives. */
  begin(): void {
    const { maxStreams, windowSize, webSockets } = this.rules
    const pairs = [[SETTING.maxConcurrentStreams, maxStreams]]
    if (windowSize > 0) pairs.push([SETTING.initialWindowSize, windowSize])
    if (webSockets) pairs.push([SETTING.enableConnectProtocol, 1])
    const { frames } = this.output
    frames.frame(6 * pairs.length, FRAME.settings, 0, 0)
    for (const [id, value] of pairs) {
      frames.uint16(id)
      frames.uint32(value)
    }
    this.output.writeWindowUpdate(0, CONNECTION_WINDOW - INITIAL_WINDOW)
    this.receiveWindow = CONNECTION_WINDOW
    this.lifetime.idle()
  }

  /** The window that each stream of the client begins with. */
  get initialReceiveWindow(): number {
    return this.rules.windowSize > 0 ? this.rules.windowSize : INITIAL_WINDOW
  }

  /** The largest DATA frame for the client. */
  get frameSize(): number {
    const { maxDataFrame } = this.rules
    const most = Math.min(this.peer.maxFrameSize, 16_384)
    return maxDataFrame > 0 ? Math.min(maxDataFrame, most) : most
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

  get closed(): boolean {
    return this.lifetime.isClosed
  }

  get hasUnusedInput(): boolean {
    return this.input.length > 0
  }

  get activity(): ConnectionActivity {
    return this.lifetime.activity
  }

  get idle(): boolean {
    return this.streams.size === 0 && this.streams.begun > 0 && this.input.length === 0 && !this.closed
  }

  /** A header block is incomplete. */
  get isReadingHead(): boolean {
    return this.#handler.isReadingHead
  }

  displacementRank(now: number): number {
    return this.lifetime.displacementRank(now)
  }

  displace(): void {
    this.onClose()
    this.transport.destroy()
  }

  close(): void {
    if (this.streams.size > 0) this.transport.destroy()
    else this.departure.atOnce(ERROR.none)
  }

  observe(observer: TrafficObserver): void {
    this.transport.observer = observer
  }

  destroy(): void {
    this.transport.destroy()
  }

  tick(now: number): void {
    if (this.engine.draining) this.departure.begin()
    this.lifetime.tick(now)
  }

  onBytes(bytes: Buffer, count: number): void {
    this.bytesIn += count
    if (this.#isRefused || !this.lifetime.received(count)) return
    this.input.push(bytes, count)
    this.#advance()
    this.input.keep()
  }

  onEnd(): void {
    // A client that closes its sending side sends no further requests, but may wait for responses.
    this.lifetime.inputEnded()
  }

  onDrain(): void {
    this.output.drained()
    if (this.#isPaused && !this.#isContinuing) this.#advance()
  }

  onClose(): void {
    if (this.closed) return
    this.lifetime.end()
    this.output.close()
    this.input.clear()
    this.streams.abandon()
    this.engine.remove(this)
  }

  /** Parses everything that has arrived, begins requests, and sends what they leave, in this order. */
  #advance(): void {
    if (this.closed) return
    this.output.hold()
    try {
      this.#parse()
      this.streams.begin()
    } catch (error) {
      this.broken(error)
    }
    this.output.release()
    this.#adjustReading()
    this.lifetime.settle()
  }

  #parse(): void {
    try {
      if (!this.#reader.read(this.input, this.#mayContinue) && !this.#isBacklogged) this.continueLater()
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      this.fail(error)
    }
  }

  /** An error of this program ends the connection, and nothing else. */
  broken(error: unknown): void {
    this.report('error', '', `session closed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    this.transport.destroy()
  }

  /** What could be parsed must not pile up: neither begun requests nor answers that the client does not read. */
  readonly #mayContinue = (): boolean => !this.lifetime.isClosing && !this.streams.isFull && !this.#isBacklogged

  get #isBacklogged(): boolean {
    return this.output.unsent > BACKLOG_MAX
  }

  /** Requests that wait for the next turn of the loop keep further input away. */
  #adjustReading(): void {
    const pause = !this.lifetime.isClosing && (this.streams.isFull || this.#isBacklogged)
    if (pause === this.#isPaused || this.closed) return
    this.#isPaused = pause
    if (pause) this.transport.pause()
    else this.transport.resume()
  }

  /** For streams: the next ones begin in the next turn of the loop. */
  continueLater(): void {
    if (this.#isContinuing) return
    this.#isContinuing = true
    setImmediate(continueNow, this)
  }

  /** For setImmediate. */
  continueNow(): void {
    this.#isContinuing = false
    if (!this.closed) this.#advance()
  }

  /** Ends the connection because of the client's error. */
  fail({ code, message, isExcess }: ConnectionError): void {
    if (this.lifetime.isClosing) return
    this.report(isExcess ? 'info' : 'debug', '', `session closed: ${message} (${errorName(code)})`)
    this.departure.atOnce(code, message)
  }

  /** How log lines name a stream, as in httpd. */
  tagOf(stream: number): string {
    return `${process.pid}-${this.number}-${stream}`
  }

  /** Writes a line to the error log of this connection. */
  report(level: 'error' | 'warn' | 'info' | 'debug', code: string, text: string): void {
    this.#host.report(this, level, code, text)
  }

  /** Sends what is pending, and closes. */
  closeWhenSent(): void {
    this.lifetime.linger()
    this.streams.abandon()
    this.output.finish()
    this.transport.end()
    if (this.#isPaused) {
      this.#isPaused = false
      this.transport.resume()
    }
  }

  /** Bytes of a request's body were consumed: the client may send as many, in portions of half a window. */
  consumed(exchange: Http2Exchange, count: number): void {
    if (this.lifetime.isClosing) return
    this.consumedOfNone(count)
    if (exchange.closed || exchange.requestComplete || exchange.incoming.failed) return
    exchange.consumedBytes += count
    if (exchange.consumedBytes < this.initialReceiveWindow / 2) return
    this.output.writeWindowUpdate(exchange.id, exchange.consumedBytes)
    exchange.receiveWindow += exchange.consumedBytes
    exchange.consumedBytes = 0
  }

  /** Bytes arrived that no request has: only the connection counts them. */
  consumedOfNone(count: number): void {
    this.consumedBytes += count
    if (this.consumedBytes < CONNECTION_WINDOW / 2) return
    this.output.writeWindowUpdate(0, this.consumedBytes)
    this.receiveWindow += this.consumedBytes
    this.consumedBytes = 0
  }

  /** A stream's body waits for the client, or no longer. */
  bodyWaits(exchange: Http2Exchange): void {
    this.lifetime.bodyWaits(exchange)
  }

  /** The stream has data, or ends. */
  wantsToSend(exchange: Http2Exchange): void {
    if (!exchange.closed) this.output.wantsToSend(exchange)
  }

  /** Ends a stream before its end. */
  reset(exchange: Http2Exchange, code: number): void {
    if (exchange.closed) return
    this.output.writeReset(exchange.id, code)
    this.streams.remove(exchange)
    exchange.abort()
  }

  /** Opens a stream of the client. */
  open(stream: number, request: StreamRequest): void {
    this.streams.add(new Http2Exchange(this, stream, request))
  }

  /** The client has given up a stream. */
  streamGone(): void {
    this.departure.closeIfDone()
  }

  /**
   * The client has changed the window of its streams.
   * @throws ConnectionError if one gets too large
   */
  windowsGrow(change: number): void {
    if (change === 0) return
    for (const exchange of this.streams) {
      exchange.sendWindow += change
      if (exchange.sendWindow > LARGEST) throw new ConnectionError(ERROR.flowControl, 'SETTINGS: a window gets too large')
      if (exchange.outgoing.length > 0 && exchange.sendWindow > 0) this.output.wantsToSend(exchange)
    }
  }

  /**
   * Begins with a request of HTTP/1.1 that has asked for HTTP/2: it is that of stream 1 (RFC 7540 section 3.2.1).
   * @param settings value of the field HTTP2-Settings
   */
  beginWith(request: StreamRequest, settings: string): void {
    const bytes = Buffer.from(settings, 'base64url')
    try {
      if (bytes.length % 6 === 0) this.#handler.takeSettings(bytes, 0, bytes.length)
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      return this.fail(error)
    }
    this.streams.last = 1
    this.open(1, request)
    this.continueLater()
  }

  /** The connection is not secure enough: it ends when its transport is ready. */
  refuseSecurity(found: string): void {
    this.#isRefused = true
    setImmediate(() => {
      if (!this.closed) this.fail(new ConnectionError(ERROR.inadequateSecurity, `security requirements are not met: ${found}`))
    })
  }

  /** The host has answered. */
  answered(exchange: Http2Exchange): void {
    if (!exchange.closed) {
      // RFC 9113 section 8.1: the client need not send the rest of its body.
      if (!exchange.requestComplete) this.output.writeReset(exchange.id, ERROR.none)
      this.streams.remove(exchange)
    }
    this.streams.answered(exchange)
    this.departure.closeIfDone()
  }
}

/** With more unsent than this, nothing that causes an answer is read. */
const BACKLOG_MAX = 256 * 1024

function continueNow(connection: Http2Connection): void {
  connection.continueNow()
}
