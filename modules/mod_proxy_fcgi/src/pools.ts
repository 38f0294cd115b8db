import type { ProxyPassing, ProxyWorker } from '@gatewright/api'
import { ConnectionPool, type UpstreamTarget } from '@gatewright/upstream'

/**
 * How long an idle connection is kept without `ttl`, in milliseconds. PHP-FPM gives a child to each connection, idle or not:
 * connections are used again under load, and not kept from others after it.
 */
const IDLE = 100

/** The connections of the workers of a process that are used more than once. */
export class Pools {
  readonly #kept = new Map<ProxyWorker, Map<string, ConnectionPool>>()

  of(passing: ProxyPassing, target: UpstreamTarget, keepsConnection: boolean): ConnectionPool {
    if (!keepsConnection) return makePool(passing, target, false)
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
    smax: smax ?? 0,
    ttl: ttl ?? IDLE,
    acquireTimeout: acquire ?? -1,
    queue: -1,
    connectTimeout: connectiontimeout ?? timeout ?? settings.timeout,
    keepAlive: keepalive === true,
    reuse,
  })
}
