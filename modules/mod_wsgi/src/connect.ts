import { setTimeout as pause } from 'node:timers/promises'
import type { Request } from '@gatewright/api'
import { type ConnectionPool, type UpstreamConnection, UpstreamError, unkeptConnections } from '@gatewright/upstream'

/** Pauses between attempts, ms: the first, and the longest. */
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 200

/** Connections to the processes of this server's groups, each for one request. */
export class ProcessConnections {
  readonly #pools = new Map<string, ConnectionPool>()

  /**
   * Connects. While the list of waiting connections is full, or a process starts, it tries again.
   * @param limit ms until it gives up
   * @param attempted is called before each attempt
   * @returns the failure of the last attempt; null if the client has gone
   */
  async connect(
    request: Request,
    path: string,
    limit: number,
    attempted: () => void,
  ): Promise<UpstreamConnection | UpstreamError | null> {
    let isGone = false
    const forget = request.whenGone(() => {
      isGone = true
    })
    try {
      const end = performance.now() + limit
      for (let wait = FIRST_PAUSE; ; wait = Math.min(LONGEST_PAUSE, wait * 2)) {
        attempted()
        const found = await this.#acquire(path, limit)
        if (isGone) {
          if (!(found instanceof UpstreamError)) found.destroy()
          return null
        }
        if (!(found instanceof UpstreamError) || !maySucceedLater(found) || performance.now() + wait > end) return found
        await pause(wait)
      }
    } finally {
      forget()
    }
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.drain()
    this.#pools.clear()
  }

  #acquire(path: string, limit: number): Promise<UpstreamConnection | UpstreamError> {
    let pool = this.#pools.get(path)
    if (pool === undefined) {
      pool = unkeptConnections({ path }, Math.max(1, limit))
      this.#pools.set(path, pool)
    }
    const connections = pool
    return new Promise((resolve) => {
      connections.acquire({ onConnection: resolve, onError: resolve })
    })
  }
}

/** A full list of waiting connections refuses at once. */
function maySucceedLater({ cause }: UpstreamError): boolean {
  const code = cause !== null && 'code' in cause ? cause.code : undefined
  return code === 'EAGAIN' || code === 'ECONNREFUSED'
}
