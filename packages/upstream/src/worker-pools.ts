import type { MaybePromise, ModuleLog, ProxyConnections, ProxySettings, ProxyWorker, Request } from '@gatewright/api'
import type { UpstreamConnection } from './connection.ts'
import { type Acquirer, ConnectionPool } from './connection-pool.ts'
import { InheritedConnections, type InheritingServices } from './inherited-connections.ts'
import type { IdleRules, PoolOptions, UpstreamTarget } from './pool-options.ts'
import { UpstreamError } from './upstream-error.ts'

/** Of protocols whose backends may have many connections: idle ones of a worker without `ttl` are closed after a minute. */
export const USUAL_IDLE: IdleRules = { ttl: 60_000, smax: -1 }

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

type Past = Pick<ProxyConnections, 'opened' | 'reused' | 'failed'>

const NOTHING: Past = { opened: 0, reused: 0, failed: 0 }
const CONNECTION_FIGURES = ['open', 'idle', 'waiting', 'opened', 'reused', 'failed'] as const

/** The connections of all workers of a process that speak one protocol. */
export class WorkerPools {
  readonly #idle: IdleRules
  readonly #kept = new Map<ConnectionUse['worker'], Map<string, ConnectionPool>>()
  /** Pools for one exchange each, and those whose last exchanges are finished. */
  readonly #ending = new Map<ConnectionUse['worker'], Set<ConnectionPool>>()
  /** What pools that have ended did. */
  readonly #ended = new WeakMap<ConnectionUse['worker'], Past>()
  /** Null if connections end with the process. */
  #inherited: InheritedConnections | null = null

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
    if (!isKept) this.#end(use.worker, pool)
    if (acquisition.result !== null) return acquisition.result
    const { promise, resolve } = Promise.withResolvers<UpstreamConnection | UpstreamError>()
    acquisition.settle = resolve
    use.request.whenGone(() => {
      giveUp()
      resolve(new UpstreamError('acquire-timeout', { detail: 'the client has gone' }))
    })
    return promise
  }

  /** Passes idle connections in the clear on to the processes that follow. @param name the module's source name */
  inherit(services: InheritingServices, name: string, log: ModuleLog): void {
    this.#inherited = new InheritedConnections(services, name, this.#idle, log)
  }

  /** The connections to the backend of a worker. */
  connections(worker: ConnectionUse['worker']): ProxyConnections {
    const sum = { open: 0, idle: 0, waiting: 0, opened: 0, reused: 0, failed: 0, ...this.#ended.get(worker) }
    for (const pool of [...(this.#kept.get(worker)?.values() ?? []), ...(this.#ending.get(worker) ?? [])]) {
      const { figures } = pool
      for (const name of CONNECTION_FIGURES) sum[name] += figures[name]
    }
    return sum
  }

  close(): void {
    for (const pools of this.#kept.values()) for (const pool of pools.values()) pool.close()
    this.#kept.clear()
    this.#inherited?.close()
  }

  /** No connection of a pool is used again: it is forgotten, except for what it did, when the last one is closed. */
  #end(worker: ConnectionUse['worker'], pool: ConnectionPool): void {
    let ending = this.#ending.get(worker)
    if (ending === undefined) {
      ending = new Set()
      this.#ending.set(worker, ending)
    }
    const pools = ending
    pools.add(pool)
    pool.drain(() => {
      pools.delete(pool)
      if (pools.size === 0) this.#ending.delete(worker)
      const { opened, reused, failed } = pool.figures
      const before = this.#ended.get(worker) ?? NOTHING
      this.#ended.set(worker, {
        opened: before.opened + opened,
        reused: before.reused + reused,
        failed: before.failed + failed,
      })
    })
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
      if (way !== PLAIN) this.#endOldest(use.worker, pools)
      pool = this.#makePool(use, target, way, true)
      pools.set(key, pool)
      if (way === PLAIN) this.#inherited?.join(target, pool)
    }
    return pool
  }

  /** Makes room for another pool. Requests on the connections of the one that was made first are finished. */
  #endOldest(worker: ConnectionUse['worker'], pools: Map<string, ConnectionPool>): void {
    if (pools.size < MOST_SECURED_POOLS) return
    for (const [key, pool] of pools) {
      pools.delete(key)
      return this.#end(worker, pool)
    }
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
