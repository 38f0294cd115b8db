import type { ProxyPassing, ProxyWorker } from '@gatewright/api'
import { ConnectionPool, type UpstreamTarget } from '@gatewright/upstream'

/** Idle connections of a worker without `ttl` are closed after this time in any case, in milliseconds. */
const LONGEST_IDLE = 60_000

/** The connections of all workers of a process. */
export class Pools {
  readonly #kept = new Map<ProxyWorker, Map<string, ConnectionPool>>()

  /** The pool of a worker for one backend; that of a worker without connections of its own serves one request. */
  of(passing: ProxyPassing, target: UpstreamTarget, isPooled: boolean): ConnectionPool {
    if (!isPooled) return makePool(passing, target, false)
    const key = 'path' in target ? target.path : `${target.host}:${target.port}`
    let pools = this.#kept.get(passing.worker)
    if (pools === undefined) {
      pools = new Map()
      this.#kept.set(passing.worker, pools)
    }
    let pool = pools.get(key)
    if (pool === undefined) {
      pool = makePool(passing, target, true)
      pools.set(key, pool)
    }
    return pool
  }

  close(): void {
    for (const pools of this.#kept.values()) for (const pool of pools.values()) pool.close()
    this.#kept.clear()
  }
}

function makePool({ worker, settings }: ProxyPassing, target: UpstreamTarget, reuse: boolean): ConnectionPool {
  const { max, min, smax, ttl, acquire, connectiontimeout, timeout, keepalive } = worker.parameters
  return new ConnectionPool({
    target,
    tls: null,
    max: max ?? 0,
    min: min ?? 0,
    smax: smax ?? -1,
    ttl: ttl ?? LONGEST_IDLE,
    acquireTimeout: acquire ?? -1,
    queue: -1,
    connectTimeout: connectiontimeout ?? timeout ?? settings.timeout,
    keepAlive: keepalive === true,
    reuse,
  })
}
