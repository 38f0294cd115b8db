import { Duplex } from 'node:stream'
import type { ClientConnection } from '../client-connection.ts'
import type { ConnectionShare } from '../connection-shares.ts'
import { NOT_DISPLACEABLE, rankOfIdle } from '../displacement-rank.ts'
import type { HttpEngine } from '../engine.ts'
import type { ConnectionActivity, EngineConnection } from '../engine-connection.ts'
import type { Preface } from '../preface.ts'
import type { ConnectionSettings } from '../settings.ts'

import type { TrafficObserver, Transport, WriteCallback } from '../transport.ts'
import { WriteWatch } from '../write-watch.ts'
import { SpokenExchange, type SpokenRequest, type SpokenResponse } from './exchange.ts'

/**
 * A connection whose protocol a module speaks, over a stream of its bytes. The engine counts it like others, and
 * serves the requests that are made of what was spoken. It has no time limits of its own, but when the engine drains, it
 * ends after its last response and the time that a kept connection has.
 */
export class SpokenConnection implements EngineConnection {
  readonly engine: HttpEngine
  readonly transport: Transport
  readonly settings: ConnectionSettings
  /** The bytes of the client, and those for it. */
  readonly stream: Duplex
  data: unknown
  preface: Preface | null = null
  slot = -1
  share: ConnectionShare | null = null
  closed = false
  bytesIn = 0
  bytesOut = 0
  readonly #serving = new Set<SpokenExchange>()
  #activeAt: number
  #writeWatch: WriteWatch | null = null
  /** When the client must have closed its side; 0 before the module has ended its own. */
  #lingerUntil = 0

  constructor(engine: HttpEngine, transport: Transport, former: ClientConnection) {
    this.engine = engine
    this.transport = transport
    this.data = former.data
    this.settings = engine.host.settings(former)
    this.#activeAt = engine.now
    this.stream = new Duplex({
      allowHalfOpen: true,
      read: () => transport.resume(),
      write: (chunk: Buffer, _encoding, done) => this.#write(chunk, done),
      final: (done) => {
        transport.end()
        this.#lingerUntil = engine.deadline(engine.limits.lingerTotal)
        done()
      },
      destroy: (error, done) => {
        if (!this.closed) transport.destroySoon()
        done(error)
      },
    })
    // Its user may listen to it; a client that leaves is no error of this program.
    this.stream.on('error', NOTHING)
  }

  observe(observer: TrafficObserver): void {
    this.transport.observer = observer
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

  get hasUnusedInput(): boolean {
    return this.stream.readableLength > 0
  }

  get activity(): ConnectionActivity {
    return this.#serving.size > 0 ? 'working' : 'keepAlive'
  }

  get idle(): boolean {
    return this.#serving.size === 0 && !this.hasUnusedInput && !this.closed
  }

  /** Has a request served like one of HTTP. @throws TypeError if it is none */
  serve(request: SpokenRequest): Promise<SpokenResponse> {
    return new Promise((resolve, reject) => {
      if (this.closed) throw new Error('the connection has closed')
      const exchange = new SpokenExchange(this, request, {
        begun: resolve,
        failed: reject,
        ended: () => {
          this.#serving.delete(exchange)
          this.#activeAt = this.engine.now
        },
      })
      this.#serving.add(exchange)
      this.engine.host.onRequest(exchange)
    })
  }

  displacementRank(now: number): number {
    return this.#serving.size > 0 ? NOT_DISPLACEABLE : rankOfIdle(now - this.#activeAt)
  }

  displace(): void {
    this.onClose()
    this.transport.destroy()
  }

  close(): void {
    if (this.#serving.size > 0) this.transport.destroy()
    else this.transport.destroySoon()
  }

  destroy(): void {
    this.transport.destroy()
  }

  tick(now: number): void {
    if (this.#lingerUntil !== 0 && now >= this.#lingerUntil) {
      this.transport.destroy()
      return
    }
    this.#checkWriting(now)
    if (this.engine.draining && this.idle && now >= this.#activeAt + this.settings.keepAliveTimeout) this.close()
  }

  onBytes(bytes: Buffer, count: number): void {
    this.bytesIn += count
    this.#activeAt = this.engine.now
    if (this.stream.destroyed || this.stream.readableEnded) return
    if (!this.stream.push(Buffer.from(bytes.subarray(0, count)))) this.transport.pause()
  }

  onEnd(): void {
    if (!this.stream.destroyed) this.stream.push(null)
  }

  onDrain(): void {
    // Writes have their own callbacks.
  }

  onClose(): void {
    if (this.closed) return
    this.closed = true
    for (const exchange of [...this.#serving]) exchange.abort()
    this.stream.destroy()
    this.engine.remove(this)
  }

  /** A client that takes nothing for the time of Timeout is disconnected. */
  #checkWriting(now: number): void {
    if (this.transport.writableLength === 0) {
      this.#writeWatch = null
      return
    }
    this.#writeWatch ??= new WriteWatch()
    if (this.#writeWatch.isStalled(this.transport, this.bytesOut, this.settings.timeout, now)) this.transport.destroy()
  }

  #write(chunk: Buffer, done: WriteCallback): void {
    if (this.closed) return done(new Error('the connection has closed'))
    this.bytesOut += chunk.length
    this.#activeAt = this.engine.now
    this.transport.write(chunk, done)
  }
}

const NOTHING = (): void => {}
