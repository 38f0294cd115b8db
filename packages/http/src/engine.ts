import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { BlockPool } from './block-pool.ts'
import type { ClientConnection } from './client-connection.ts'
import { clientGroup } from './client-group.ts'
import { ConnectionRegistry } from './connection-registry.ts'
import { ConnectionShares } from './connection-shares.ts'
import { type Displaced, Displacement } from './displacement.ts'
import type { ConnectionActivity, EngineConnection } from './engine-connection.ts'
import { HostCache } from './host-cache.ts'
import { Http1Connection } from './http1/connection.ts'
import { HeadReader } from './http1/head-reader.ts'
import { ReadTurns } from './read-turns.ts'
import type { EngineHost } from './settings.ts'
import { SocketTransport } from './socket-transport.ts'
import type { SuccessorBegin } from './successor.ts'
import type { LocalAddress, Transport } from './transport.ts'

/** Receives a connection from a layer: one of the functions is called, once. */
export interface LayerEnd {
  /** Requests are on `socket`. @param received bytes that were read already */
  ready(socket: Socket, received: Uint8Array | null): void
  /** Requests of another protocol are on `socket`. */
  succeed(socket: Socket, begin: SuccessorBegin): void
}

/**
 * Offers an accepted socket to layers between it and the engine.
 * @returns false if the engine should read the socket itself
 */
export type SocketLayer = (socket: Socket, connection: ClientConnection, end: LayerEnd) => boolean

/** Limits that do not depend on the virtual host. Times in ms. */
export interface EngineLimits {
  /**
   * After the response on a connection that closes with unread bytes: time without further bytes until it
   * closes.
   */
  readonly lingerSilence: number
  readonly lingerTotal: number
  /** Maximum number of connections that linger; further ones are closed immediately. */
  readonly lingerMax: number
}

/** The same times as in httpd. */
const DEFAULT_LIMITS: EngineLimits = { lingerSilence: 2000, lingerTotal: 30_000, lingerMax: 512 }

/** Interval of checking deadlines, ms. */
const TICK = 100

const READERS_KEPT = 64

/**
 * Serves connections that others accept: HTTP/1.x, or with `attach` another protocol. It counts them, watches
 * their deadlines and displaces them.
 */
export class HttpEngine {
  readonly host: EngineHost
  readonly limits: EngineLimits
  /** For connections: blocks for sending files. */
  readonly blocks: BlockPool
  /** For connections: when files may be read. */
  readonly readTurns: ReadTurns
  /** For connections: the number of lingering ones. */
  lingering: number
  /**
   * For connections: a clock in ms that advances by at most two ticks at a time, so that a blocked loop does
   * not time out clients whose bytes were already waiting.
   */
  now: number
  draining: boolean
  /** For connections: Host fields that have been validated. */
  readonly hosts: HostCache
  readonly #registry: ConnectionRegistry
  readonly #shares: ConnectionShares
  readonly #displacement: Displacement
  readonly #readers: HeadReader[]
  #timer: NodeJS.Timeout | null
  #lastTick: number

  constructor(host: EngineHost, limits: EngineLimits = DEFAULT_LIMITS) {
    this.host = host
    this.limits = limits
    this.blocks = new BlockPool()
    this.readTurns = new ReadTurns()
    this.lingering = 0
    this.now = 1
    this.draining = false
    this.hosts = new HostCache()
    this.#registry = new ConnectionRegistry()
    this.#shares = new ConnectionShares()
    this.#displacement = new Displacement(this.#registry, this.#shares)
    this.#readers = []
    this.#timer = null
    this.#lastTick = 0
  }

  /** The number of open connections. */
  get connections(): number {
    return this.#registry.length
  }

  /** Number of clients, as distinguished by clientGroup. */
  get clients(): number {
    return this.#shares.clients
  }

  /** The number of connections by activity. */
  activities(): Record<ConnectionActivity, number> {
    const counts = { reading: 0, working: 0, writing: 0, keepAlive: 0, closing: 0 }
    for (let i = 0; i < this.#registry.length; i++) counts[this.#registry.at(i).activity]++
    return counts
  }

  /** Serves a socket of a server that was created with `allowHalfOpen` and `noDelay`. */
  accept(socket: Socket, local: LocalAddress | null = null, layer: SocketLayer | null = null): ClientConnection {
    const transport = new SocketTransport(socket, local)
    if (layer === null) return this.inject(transport)
    transport.holdBack()
    const connection = this.#open(transport)
    const end: LayerEnd = {
      ready: (upper, received) => {
        if (!connection.closed) connection.endHandshake()
        transport.replace(upper, received)
      },
      succeed: (upper, begin) => {
        if (connection.closed) return void upper.destroy()
        connection.endHandshake()
        connection.succeed(begin)
        transport.replace(upper, null)
      },
    }
    if (connection.closed) return connection
    connection.beginHandshake(() => socket.bytesRead)
    if (!layer(socket, connection, end)) {
      connection.endHandshake()
      transport.start()
    }
    return connection
  }

  /** Serves HTTP/1.x on any transport, for requests without a socket. */
  inject(transport: Transport): ClientConnection {
    return this.#open(transport)
  }

  #open(transport: Transport): Http1Connection {
    const connection = new Http1Connection(this, transport)
    this.attach(connection, transport)
    return connection
  }

  /** Serves a connection of any protocol: counts it, watches its deadlines, and gives it its transport. */
  attach(connection: EngineConnection, transport: Transport): void {
    this.#registry.add(connection)
    connection.share = this.#shares.open(clientGroup(transport.remoteAddress))
    if (this.#timer === null) this.#startTicking()
    transport.attach(connection)
  }

  /**
   * Closes a connection of the client that has the most, so that a connection from `address` can replace it:
   * the longest idle one, or else one whose request is still incomplete, or else one whose client sends or
   * receives bytes slowly.
   * @returns null if none may be closed because the new connection's client has as many connections or all
   *   others are served fast
   */
  displaceFor(address: string): Displaced | null {
    const group = clientGroup(address)
    const connection = this.#displacement.choose(group, this.now)
    if (connection === null || connection.share === null) return null
    const from = { ...connection.share }
    connection.displace()
    return { from, by: { group, count: this.#shares.countOf(group) } }
  }

  /**
   * From now on `connection.draining` is true, so that the host closes each connection with its next
   * response. Idle connections stay open until their timeout, because a request may be in transit. The caller
   * stops accepting first.
   */
  drain(): void {
    this.draining = true
  }

  /** Closes idle kept-alive connections. Requests in transit to them are lost. */
  closeIdle(): void {
    for (let i = this.#registry.length - 1; i >= 0; i--) {
      const connection = this.#registry.at(i)
      if (connection.idle) connection.close()
    }
  }

  /** Closes all connections immediately, regardless of their phase. */
  close(): void {
    for (let i = this.#registry.length - 1; i >= 0; i--) this.#registry.at(i).destroy()
  }

  /** For connections: a time on the clock that is at least `ms` away. */
  deadline(ms: number): number {
    return this.now + ms + TICK
  }

  /** For connections: provides a reader, which a connection has only while it reads a head. */
  takeReader(): HeadReader {
    return this.#readers.pop() ?? new HeadReader()
  }

  giveReader(reader: HeadReader): void {
    reader.reset()
    if (this.#readers.length < READERS_KEPT) this.#readers.push(reader)
  }

  /** For connections: `next` continues `former`, with its transport. */
  succeed(former: EngineConnection, next: EngineConnection, transport: Transport): void {
    this.#registry.replace(former, next)
    next.share = former.share
    former.share = null
    transport.pass(next)
  }

  /** For connections: their last call. */
  remove(connection: EngineConnection): void {
    this.#registry.remove(connection)
    if (connection.share !== null) this.#shares.close(connection.share)
    connection.share = null
    this.host.onClose?.(connection)
  }

  /** Called by the timer. */
  tick(): void {
    const time = performance.now()
    this.now += Math.min(time - this.#lastTick, 2 * TICK)
    this.#lastTick = time
    for (let i = this.#registry.length - 1; i >= 0; i--) this.#registry.at(i).tick(this.now)
    if (this.#registry.length > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  #startTicking(): void {
    this.#lastTick = performance.now()
    this.#timer = setInterval(tickEngine, TICK, this)
    this.#timer.unref()
  }
}

/**
 * Timers run before sockets are read. Data that arrived while the loop was blocked is read first, so that the
 * connection of a timely request is not closed.
 */
function tickEngine(engine: HttpEngine): void {
  setImmediate(tickAfterReading, engine)
}

function tickAfterReading(engine: HttpEngine): void {
  engine.tick()
}
