import type { MaybePromise, ProxySettings, ProxyWorker, Request } from '@gatewright/api'
import type { UpstreamConnection } from './connection.ts'
import { type Acquirer, ConnectionPool } from './connection-pool.ts'
import type { PoolOptions, UpstreamTarget } from './pool-options.ts'
import { UpstreamError } from './upstream-error.ts'

/** What a protocol does with idle connections where the parameters of a worker say nothing. */
export interface IdleRules {
  /** Milliseconds after which they are closed. */
  readonly ttl: number
  /** How many are kept in any case; -1 for as many as there may be. */
  readonly smax: number
}

/** What a connection is needed for; a part of ProxyPassing. */
export interface ConnectionUse {
  readonly worker: Pick<ProxyWorker, 'parameters'>
  readonly settings: Pick<ProxySettings, 'timeout'>
  readonly request: Pick<Request, 'whenGone'>
}

/** How a connection leads to a backend: in the clear and directly, unless something else is stated. */
export type ConnectionWay = Partial<Pick<PoolOptions, 'tls' | 'through'>>

const PLAIN: ConnectionWay = {}
/** Clients may choose the name in the certificate (ProxyPreserveHost), and with it the pool. */
const MOST_SECURED_POOLS = 32

/** The connections of all workers of a process that speak one protocol. */
export class WorkerPools {
  readonly #idle: IdleRules
  readonly #kept = new Map<ConnectionUse['worker'], Map<string, ConnectionPool>>()

  constructor(idle: IdleRules) {
    this.#idle = idle
  }

  /**
   * A connection to a backend, or why there is none: at once where one is idle. Waiting ends when the client disconnects.
   * @param isKept whether other requests may use the connection before and after this one
   */
  connect(
    use: ConnectionUse,
    target: UpstreamTarget,
    isKept: boolean,
    way: ConnectionWay = PLAIN,
  ): MaybePromise<UpstreamConnection | UpstreamError> {
    const pool = isKept ? this.#poolOf(use, target, way) : this.#makePool(use, target, way, false)
    const acquisition = new Acquisition()
    const giveUp = pool.acquire(acquisition)
    if (acquisition.result !== null) return acquisition.result
    const { promise, resolve } = Promise.withResolvers<UpstreamConnection | UpstreamError>()
    acquisition.settle = resolve
    use.request.whenGone(() => {
      giveUp()
      resolve(new UpstreamError('acquire-timeout', { detail: 'the client has gone' }))
    })
    return promise
  }

  close(): void {
    for (const pools of this.#kept.values()) for (const pool of pools.values()) pool.close()
    this.#kept.clear()
  }

  #poolOf(use: ConnectionUse, target: UpstreamTarget, way: ConnectionWay): ConnectionPool {
    const place = 'path' in target ? target.path : `${target.host}:${target.port}`
    const key = way === PLAIN ? place : `${place} ${way.tls?.key ?? ''} ${way.through?.head ?? ''}`
    let pools = this.#kept.get(use.worker)
    if (pools === undefined) {
      pools = new Map()
      this.#kept.set(use.worker, pools)
    }
    let pool = pools.get(key)
    if (pool === undefined) {
      if (way !== PLAIN) removeOldest(pools)
      pool = this.#makePool(use, target, way, true)
      pools.set(key, pool)
    }
    return pool
  }

  #makePool(
    { worker, settings }: ConnectionUse,
    target: UpstreamTarget,
    { tls = null, through = null }: ConnectionWay,
    reuse: boolean,
  ): ConnectionPool {
    const { max, min, smax, ttl, acquire, connectiontimeout, timeout, keepalive } = worker.parameters
    return new ConnectionPool({
      target,
      tls,
      through,
      max: max ?? 0,
      min: min ?? 0,
      smax: smax ?? this.#idle.smax,
      ttl: ttl ?? this.#idle.ttl,
      acquireTimeout: acquire ?? -1,
      queue: -1,
      connectTimeout: connectiontimeout ?? timeout ?? settings.timeout,
      keepAlive: keepalive === true,
      reuse,
    })
  }
}

/** Makes room for another pool. Requests on the connections of the one that was made first are finished. */
function removeOldest(pools: Map<string, ConnectionPool>): void {
  if (pools.size < MOST_SECURED_POOLS) return
  for (const [key, pool] of pools) {
    pools.delete(key)
    pool.drain()
    return
  }
}

/** What an acquirer received, before or after a request waits for it. */
class Acquisition implements Acquirer {
  result: UpstreamConnection | UpstreamError | null = null
  settle: ((result: UpstreamConnection | UpstreamError) => void) | null = null

  onConnection(connection: UpstreamConnection): void {
    this.#end(connection)
  }

  onError(error: UpstreamError): void {
    this.#end(error)
  }

  #end(result: UpstreamConnection | UpstreamError): void {
    this.result = result
    this.settle?.(result)
  }
}
