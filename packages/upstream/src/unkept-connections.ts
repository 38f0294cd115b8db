import { ConnectionPool } from './connection-pool.ts'
import type { UpstreamTarget } from './pool-options.ts'

/**
 * Connections to a program that serves one exchange on each: any number at once, in the clear, none kept afterwards.
 * @param connectTimeout in milliseconds
 */
export function unkeptConnections(target: UpstreamTarget, connectTimeout: number): ConnectionPool {
  return new ConnectionPool({
    target,
    tls: null,
    max: 0,
    min: 0,
    smax: 0,
    ttl: 0,
    acquireTimeout: -1,
    queue: -1,
    connectTimeout,
    keepAlive: false,
    reuse: false,
  })
}
