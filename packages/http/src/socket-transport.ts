import type { Socket } from 'node:net'
import { readIntoSharedBuffer } from './shared-reading.ts'
import { SmallWrites } from './small-writes.ts'
import type { LocalAddress, TrafficObserver, Transport, TransportSink, WriteCallback } from './transport.ts'
import { flushAtTurnEnd } from './turn-end.ts'
import { turnShare } from './turn-share.ts'

/** The length of bytes that may wait for a later turn: requests are shorter. */
const MOST_POSTPONED = 4096

/**
 * A net.Socket as a transport. The socket's listeners are shared by all sockets and find their transport in a
 * property, so that a new connection costs no closures. Its server should be created with `allowHalfOpen` and
 * `noDelay`: without the first, a client that closes its sending side early loses the answer; without the
 * second, small writes wait for each other.
 */
export class SocketTransport implements Transport {
  #socket: EngineSocket
  /** False while a layer reads the socket. */
  #reads = true
  /** True if the socket has an end of its own to send. */
  #layered = false
  /** How often `cork` was called without `uncork`. */
  #corks = 0
  #isHeld = false
  /** Null until the first cork. */
  #small: SmallWrites | null = null
  /** The reader wants no more bytes for now. */
  #isPaused = false
  /** Bytes that wait for a later turn of the event loop. */
  #postponed: Buffer | null = null
  /** The socket is not read until these bytes are passed on, because there are too many. */
  #isStopped = false
  sink: TransportSink | null
  observer: TrafficObserver | null
  // A closed socket loses addresses that were not requested before, so they are kept from the first request
  // on.
  #remoteAddress: string
  #remotePort: number
  #localAddress: string
  #localPort: number

  /**
   * @param local the address to which the client connected, if it is known; otherwise the socket asks the
   * system
   */
  constructor(socket: Socket, local: LocalAddress | null) {
    this.#socket = socket
    this.sink = null
    this.observer = null
    this.#remoteAddress = ''
    this.#remotePort = 0
    this.#localAddress = local === null ? '' : local.address
    this.#localPort = local === null ? 0 : local.port
    this.#socket[TRANSPORT] = this
  }

  get remoteAddress(): string {
    if (this.#remoteAddress === '') this.#remoteAddress = unmapped(this.#socket.remoteAddress ?? '')
    return this.#remoteAddress
  }

  get remotePort(): number {
    if (this.#remotePort === 0) this.#remotePort = this.#socket.remotePort ?? 0
    return this.#remotePort
  }

  get localAddress(): string {
    if (this.#localAddress === '') this.#localAddress = unmapped(this.#socket.localAddress ?? '')
    return this.#localAddress
  }

  get localPort(): number {
    if (this.#localPort === 0) this.#localPort = this.#socket.localPort ?? 0
    return this.#localPort
  }

  get writableLength(): number {
    return this.#socket.writableLength + this.#corkedBytes
  }

  get unsentBytes(): number {
    const waiting = this.#socket.writableLength
    // Node counts a write as a whole until it is complete; the handle reports how much of it the system has
    // already accepted.
    const queued = this.#socket._handle?.writeQueueSize
    return (queued === undefined ? waiting : Math.min(waiting, queued)) + this.#corkedBytes
  }

  get #corkedBytes(): number {
    return this.#small === null ? 0 : this.#small.bytes
  }

  /** Leaves reading to a layer, until `start` or `replace`. Call this before `attach`. */
  holdBack(): void {
    this.#reads = false
  }

  /** Reads the socket after all. */
  start(): void {
    this.#reads = true
    this.#listen()
  }

  /**
   * From now on the connection is that of `socket`, which a layer made of the first one.
   * @param received bytes that were read already
   */
  replace(socket: Socket, received: Uint8Array | null): void {
    if (this.sink === null || this.#reads) return
    this.#exchange(socket)
    // A layer may have had to wait after it made the socket.
    const waiting: unknown = socket.readableLength > 0 ? socket.read() : null
    this.start()
    if (received !== null) this.receive(Buffer.from(received), received.length)
    if (Buffer.isBuffer(waiting)) this.receive(waiting, waiting.length)
  }

  #exchange(socket: Socket): void {
    // Addresses are those of the first socket.
    void this.remoteAddress
    void this.remotePort
    void this.localAddress
    void this.localPort
    const former = this.#socket
    if (former === socket) return
    former[TRANSPORT] = undefined
    this.#socket = socket
    this.#layered = true
    this.#socket[TRANSPORT] = this
    socket.on('error', onError)
    socket.on('close', onClose)
  }

  attach(sink: TransportSink): void {
    this.sink = sink
    this.#socket.on('error', onError)
    this.#socket.on('close', onClose)
    if (this.#reads) this.#listen()
  }

  pass(sink: TransportSink): void {
    if (this.sink !== null) this.sink = sink
  }

  #listen(): void {
    const socket = this.#socket
    if (!readIntoSharedBuffer(socket, onBytes)) socket.on('data', onData)
    socket.on('end', onEnd)
    socket.on('drain', onDrain)
  }

  /** Passes bytes of the client on. */
  receive(bytes: Buffer, count: number): void {
    if (this.observer !== null) this.observer.received(bytes.subarray(0, count))
    this.sink?.onBytes(bytes, count)
  }

  /** Bytes of the client have arrived. What is long is a body, which costs little: it is not copied to wait. */
  arrived(bytes: Buffer, count: number): void {
    if (this.#postponed !== null) return this.#postponeMore(this.#postponed, bytes.subarray(0, count))
    if (count > MOST_POSTPONED || turnShare.takesRead()) return this.receive(bytes, count)
    this.#postponed = Buffer.from(bytes.subarray(0, count))
    turnShare.postpone(this)
  }

  #postponeMore(waiting: Buffer, more: Buffer): void {
    this.#postponed = Buffer.concat([waiting, more])
    if (this.#postponed.length <= MOST_POSTPONED || this.#isStopped) return
    this.#isStopped = true
    this.#socket.pause()
  }

  /** Passes on what was postponed. */
  proceed(): void {
    const bytes = this.#postponed
    if (bytes === null) return
    this.#postponed = null
    this.receive(bytes, bytes.length)
    if (!this.#isStopped) return
    this.#isStopped = false
    if (!this.#isPaused) this.#socket.resume()
  }

  write(data: Buffer | string, done: WriteCallback | null): boolean {
    if (this.observer !== null) this.observer.sent(data)
    if (this.#corks > 0) {
      this.#small ??= new SmallWrites()
      // After a write that returned false, the socket reports its drain; so many bytes do not matter before that.
      if (done === null && this.#small.add(data)) return !this.#socket.writableNeedDrain
      // Only small writes are held.
      this.flush()
      if (this.#corks > 0) this.#sendSmall()
    }
    if (done === null) return this.#socket.write(data, 'latin1')
    return this.#socket.write(data, 'latin1', done)
  }

  cork(): void {
    this.#corks++
  }

  holdUntilTurnEnd(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.#corks++
    flushAtTurnEnd(this)
  }

  /** Sends what was held until the end of the turn. */
  flush(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.uncork()
  }

  uncork(): void {
    if (this.#corks === 0) return
    this.#corks--
    if (this.#corks > 0) return
    const rest = this.#small === null ? null : this.#small.take()
    if (rest !== null) this.#socket.write(rest, 'latin1')
    if (this.#socket.writableCorked > 0) this.#socket.uncork()
  }

  /** Nothing is written after this. */
  #flush(): void {
    if (this.#corks === 0) return
    this.#corks = 1
    this.uncork()
  }

  /** Sends what was small together with what follows. */
  #sendSmall(): void {
    if (this.#socket.writableCorked === 0) this.#socket.cork()
    const small = this.#small === null ? null : this.#small.take()
    if (small !== null) this.#socket.write(small, 'latin1')
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    if (!this.#isStopped) this.#socket.resume()
  }

  end(): void {
    this.#flush()
    this.#socket.end()
  }

  /**
   * If nothing is left to send, the socket can be closed immediately: the system sends the data that it has
   * accepted, followed by the end.
   */
  destroySoon(): void {
    this.#flush()
    if (this.#socket.writableLength === 0 && !this.#layered) this.#socket.destroy()
    else this.#socket.destroySoon()
  }

  destroy(): void {
    this.#postponed = null
    this.#socket.destroy()
  }
}

const TRANSPORT: unique symbol = Symbol('gatewright.transport')

interface EngineSocket extends Socket {
  [TRANSPORT]?: SocketTransport
  readonly _handle?: { readonly writeQueueSize?: number } | null
}

function onData(this: EngineSocket, chunk: Buffer): void {
  this[TRANSPORT]?.arrived(chunk, chunk.length)
}

function onBytes(this: EngineSocket, count: number, bytes: Buffer): void {
  this[TRANSPORT]?.arrived(bytes, count)
}

function onEnd(this: EngineSocket): void {
  const transport = this[TRANSPORT]
  if (transport === undefined) return
  transport.proceed()
  transport.sink?.onEnd()
}

function onDrain(this: EngineSocket): void {
  this[TRANSPORT]?.sink?.onDrain()
}

/** A reset or a broken pipe: the 'close' event follows and is sufficient. */
function onError(this: EngineSocket): void {}

function onClose(this: EngineSocket): void {
  const transport = this[TRANSPORT]
  if (transport === undefined) return
  transport.proceed()
  const sink = transport.sink
  transport.sink = null
  sink?.onClose()
}

/**
 * A client that connects over IPv4 to a socket of both families is an IPv4 client, for access control and for
 * logs.
 */
function unmapped(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}
