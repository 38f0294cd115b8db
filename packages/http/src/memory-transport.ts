import type { TrafficObserver, Transport, TransportSink, WriteCallback } from './transport.ts'
import { wireBytes } from './wire-text.ts'

/** The two ends of the connection; all parts have defaults. */
export interface MemoryTransportOptions {
  readonly remoteAddress?: string
  readonly remotePort?: number
  readonly localAddress?: string
  readonly localPort?: number
}

/** A byte that no message contains. */
const OVERWRITTEN = 0xdb

/** As for sockets: beyond it `write` returns false. */
const HIGH_WATER_MARK = 64 * 1024

/**
 * A connection without a socket: `feed` acts as the client, `output` collects what the server writes. As with
 * a socket, callbacks of writes, 'drain' and 'close' run in a later step of the loop, never from within the
 * call that causes them.
 */
export class MemoryTransport implements Transport {
  readonly remoteAddress: string
  readonly remotePort: number
  readonly localAddress: string
  readonly localPort: number
  /** Everything that the server has sent. */
  readonly output: Buffer[]
  /** The server has closed its sending side, or both sides. */
  ended: boolean
  closed: boolean
  /** Called after every step that changed `output`, `ended` or `closed`. */
  onChange: (() => void) | null
  observer: TrafficObserver | null
  #sink: TransportSink | null
  #held: { data: Buffer; done: WriteCallback | null }[]
  #heldBytes: number
  #stalled: boolean
  #corked: number
  #paused: boolean
  #incoming: Buffer[]
  #incomingEnded: boolean
  #needDrain: boolean
  #destroying: boolean

  constructor(options: MemoryTransportOptions = {}) {
    this.remoteAddress = options.remoteAddress ?? '127.0.0.1'
    this.remotePort = options.remotePort ?? 0
    this.localAddress = options.localAddress ?? '127.0.0.1'
    this.localPort = options.localPort ?? 80
    this.output = []
    this.ended = false
    this.closed = false
    this.onChange = null
    this.observer = null
    this.#sink = null
    this.#held = []
    this.#heldBytes = 0
    this.#stalled = false
    this.#corked = 0
    this.#paused = false
    this.#incoming = []
    this.#incomingEnded = false
    this.#needDrain = false
    this.#destroying = false
  }

  get writableLength(): number {
    return this.#heldBytes
  }

  get unsentBytes(): number {
    return this.#heldBytes
  }

  /** All output so far as latin1 text. */
  get text(): string {
    return Buffer.concat(this.output).toString('latin1')
  }

  /** Sends bytes as the client. A string is latin1. */
  feed(data: Buffer | string): void {
    if (this.closed) return
    this.#incoming.push(typeof data === 'string' ? wireBytes(data) : Buffer.from(data))
    this.#deliver()
  }

  /** Closes the client's sending side. */
  feedEnd(): void {
    this.#incomingEnded = true
    this.#deliver()
  }

  /** Stops reading as the client: writes remain pending. */
  stall(): void {
    this.#stalled = true
  }

  /** Resumes reading as the client. */
  unstall(): void {
    this.#stalled = false
    this.#flush()
  }

  attach(sink: TransportSink): void {
    this.#sink = sink
    this.#deliver()
  }

  pass(sink: TransportSink): void {
    if (this.#sink !== null) this.#sink = sink
  }

  write(data: Buffer | string, done: WriteCallback | null): boolean {
    if (this.closed || this.ended) {
      if (done !== null) process.nextTick(done, new Error('write after end'))
      return true
    }
    this.observer?.sent(data)
    // The caller may reuse a Buffer when its write is complete.
    const bytes = typeof data === 'string' ? wireBytes(data) : Buffer.from(data)
    this.#held.push({ data: bytes, done })
    this.#heldBytes += bytes.length
    const room = this.#heldBytes < HIGH_WATER_MARK
    this.#needDrain ||= !room
    this.#flush()
    return room
  }

  cork(): void {
    this.#corked++
  }

  uncork(): void {
    if (this.#corked > 0) this.#corked--
    this.#flush()
  }

  /** Nobody has to be woken. */
  holdUntilTurnEnd(): void {}

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#deliver()
  }

  end(): void {
    this.ended = true
    this.#flush()
  }

  destroySoon(): void {
    this.ended = true
    this.#destroying = true
    this.#flush()
  }

  destroy(): void {
    if (this.closed) return
    this.closed = true
    this.ended = true
    for (const { done } of this.#held) if (done !== null) process.nextTick(done, new Error('connection closed'))
    this.#held = []
    this.#heldBytes = 0
    process.nextTick(closeSink, this)
  }

  /** Outputs pending writes, unless the transport is corked or stalled. */
  #flush(): void {
    if (this.closed || this.#stalled || (this.#corked > 0 && !this.ended)) return
    for (const { data, done } of this.#held) {
      this.output.push(data)
      if (done !== null) process.nextTick(done)
    }
    this.#held = []
    this.#heldBytes = 0
    if (this.#needDrain) {
      this.#needDrain = false
      process.nextTick(drainSink, this)
    }
    if (this.#destroying) this.destroy()
    this.onChange?.()
  }

  #deliver(): void {
    while (this.#sink !== null && !this.#paused && !this.closed && this.#incoming.length > 0) {
      const chunk = this.#incoming.shift()
      if (chunk === undefined) continue
      this.observer?.received(chunk)
      this.#sink.onBytes(chunk, chunk.length)
      // As with a socket, the next bytes overwrite the chunk, so no code may keep it.
      chunk.fill(OVERWRITTEN)
    }
    if (!this.#incomingEnded || this.#sink === null || this.#paused || this.closed) return
    this.#incomingEnded = false
    this.#sink.onEnd()
  }

  /** For callbacks. */
  get sink(): TransportSink | null {
    return this.#sink
  }

  set sink(sink: TransportSink | null) {
    this.#sink = sink
  }
}

function drainSink(transport: MemoryTransport): void {
  transport.sink?.onDrain()
}

function closeSink(transport: MemoryTransport): void {
  const sink = transport.sink
  transport.sink = null
  sink?.onClose()
  transport.onChange?.()
}
