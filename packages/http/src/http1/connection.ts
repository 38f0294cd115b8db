import type { ConnectionShare } from '../connection-shares.ts'
import type { HttpEngine } from '../engine.ts'
import type { ConnectionActivity, EngineConnection } from '../engine-connection.ts'
import { Input } from '../input.ts'
import type { Preface } from '../preface.ts'
import type { ConnectionSettings } from '../settings.ts'
import type { SuccessorBegin } from '../successor.ts'
import type { TrafficObserver, Transport } from '../transport.ts'
import { Lifetime } from './lifetime.ts'
import { BUSY, CLOSED, IDLE } from './phase.ts'
import { RequestReading } from './request-reading.ts'

/**
 * One client connection of HTTP/1.x: passes the events of its transport and of the engine's clock to the
 * reading of requests and to its lifetime.
 */
export class Http1Connection implements EngineConnection {
  readonly engine: HttpEngine
  readonly transport: Transport
  /** Unused bytes. */
  readonly input: Input
  readonly reading: RequestReading
  /** The settings for the present request. */
  settings: ConnectionSettings
  /** Number of requests passed to the host, including the present one. */
  requestCount: number
  bytesIn: number
  bytesOut: number
  data: unknown
  preface: Preface | null
  slot: number
  share: ConnectionShare | null
  readonly #lifetime: Lifetime
  /** The number of bytes that a layer has received; null without a layer, and when it has done its work. */
  #layerBytes: (() => number) | null
  #countedBytes: number

  constructor(engine: HttpEngine, transport: Transport) {
    this.engine = engine
    this.transport = transport
    this.input = new Input()
    this.#lifetime = new Lifetime(this)
    this.reading = new RequestReading(this, this.#lifetime)
    this.requestCount = 0
    this.bytesIn = 0
    this.bytesOut = 0
    this.data = null
    this.#layerBytes = null
    this.#countedBytes = 0
    this.preface = null
    this.slot = -1
    this.share = null
    this.settings = engine.host.onConnection(this)
    this.#lifetime.limitFirst()
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
   * The engine requires the connection to close: the response has `Connection: close`. False while bytes after
   * the request have arrived: the client has pipelined the next request, which would remain unanswered.
   */
  get draining(): boolean {
    return this.engine.draining && this.input.length === 0
  }

  get idle(): boolean {
    return this.#lifetime.phase === IDLE && this.input.length === 0
  }

  get closed(): boolean {
    return this.#lifetime.phase === CLOSED
  }

  get hasUnusedInput(): boolean {
    return this.input.length > 0
  }

  get activity(): ConnectionActivity {
    return this.#lifetime.activity
  }

  /** A layer reads the transport, until `endHandshake`. @param received the number of bytes so far */
  beginHandshake(received: () => number): void {
    this.#layerBytes = received
    this.#lifetime.limitHandshake()
  }

  /** Requests follow. */
  endHandshake(): void {
    this.#layerBytes = null
    this.#lifetime.stopReadClock()
    this.#lifetime.limitFirst()
  }

  /** Another protocol continues the connection, with the input that is left. */
  succeed(begin: SuccessorBegin): void {
    const next = begin(this.engine, this.transport, this)
    const rest = this.input.length === 0 ? null : this.input.take(this.input.length)
    this.#lifetime.end()
    this.engine.succeed(this, next, this.transport)
    this.reading.leave()
    if (rest !== null) next.onBytes(rest, rest.length)
  }

  displacementRank(now: number): number {
    return this.#lifetime.displacementRank(now, this.reading.exchange)
  }

  displace(): void {
    this.onClose()
    this.transport.destroy()
  }

  close(): void {
    if (this.#lifetime.phase === BUSY) this.transport.destroy()
    else this.reading.closeWhenSent()
  }

  observe(observer: TrafficObserver): void {
    this.transport.observer = observer
  }

  destroy(): void {
    this.transport.destroy()
  }

  tick(now: number): void {
    if (this.#layerBytes !== null) {
      const received = this.#layerBytes()
      this.#lifetime.receivedByLayer(received - this.#countedBytes)
      this.#countedBytes = received
    }
    const late = this.#lifetime.latePart(now)
    if (late !== null) this.reading.timedOut(late)
    if (this.#lifetime.hasExpired(now)) this.reading.expired()
    this.#lifetime.checkWriting(now)
  }

  onBytes(bytes: Buffer, count: number): void {
    this.bytesIn += count
    if (!this.#lifetime.received(count)) return
    this.input.push(bytes, count)
    this.reading.received()
    this.input.keep()
  }

  onEnd(): void {
    this.reading.inputEnded()
  }

  onDrain(): void {
    this.reading.drained()
  }

  onClose(): void {
    if (this.closed) return
    this.#lifetime.end()
    this.reading.abandon()
    this.engine.remove(this)
  }
}
