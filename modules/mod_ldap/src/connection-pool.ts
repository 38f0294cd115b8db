import type { LdapTarget } from '@gatewright/api/peers'
import type { LdapConnection } from '@gatewright/ldap'

/**
 * Connections of a process to the servers of one target at a time. More logins wait for one of them, so that a flood of
 * them does not open a flood of connections.
 */
const MOST = 32

/** What connections must have in common to be used for the same purpose. */
export interface PoolKey {
  readonly target: LdapTarget
  /** Everything but the account, as text. */
  readonly place: string
}

/** A connection, or the right to open one. */
export interface PooledConnection {
  /** Null until it is opened, and after it has failed. */
  connection: LdapConnection | null
  /** Account as which it is bound; null if none, or not known. */
  boundAs: Account | null
  /** When it was given back, in milliseconds of `performance.now()`. */
  freedAt: number
}

export interface Account {
  readonly dn: string | null
  readonly password: string | null
}

/** Figures of a place for the status page. */
export interface PoolFigures {
  readonly place: string
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
}

interface Place {
  readonly idle: PooledConnection[]
  readonly waiting: Set<(lease: PooledConnection) => void>
  inUse: number
}

/** The pool of a process. */
export class ConnectionPool {
  readonly #places = new Map<string, Place>()
  #isClosed = false

  /**
   * A connection for an account: preferably one that is bound as it, else any, which must be bound.
   * @param ttl connections that were idle for longer, in milliseconds, are closed
   * @param patience how long to wait for one at most, in milliseconds; 0 for no limit
   * @returns null if none became free in time
   */
  acquire({ place: name, target }: PoolKey, ttl: number, patience: number): PooledConnection | Promise<PooledConnection | null> {
    const place = this.#place(name)
    const found = takeIdle(place, target, ttl)
    if (found !== null) {
      place.inUse++
      return found
    }
    if (place.inUse < MOST) {
      place.inUse++
      return { connection: null, boundAs: null, freedAt: 0 }
    }
    return new Promise((resolve) => {
      const timer = patience > 0 ? setTimeout(() => end(null), patience) : null
      const end = (lease: PooledConnection | null): void => {
        if (timer !== null) clearTimeout(timer)
        place.waiting.delete(end)
        resolve(lease)
      }
      place.waiting.add(end)
    })
  }

  /** Gives a connection back. */
  release({ place: name }: PoolKey, lease: PooledConnection, ttl: number): void {
    const place = this.#place(name)
    if (lease.connection?.isOpen !== true) {
      lease.connection = null
      lease.boundAs = null
    }
    const [next] = place.waiting
    if (next !== undefined) return next(lease)
    place.inUse--
    if (lease.connection === null) return
    if (ttl <= 0 || this.#isClosed) {
      lease.connection.close()
      return
    }
    lease.freedAt = performance.now()
    // An idle connection does not keep the process from ending.
    lease.connection.unref()
    place.idle.push(lease)
  }

  /** Closes all idle connections, and those in use when they are given back. */
  close(): void {
    this.#isClosed = true
    for (const place of this.#places.values()) {
      for (const { connection } of place.idle.splice(0)) connection?.close()
    }
  }

  figures(): PoolFigures[] {
    return [...this.#places].map(([place, { idle, inUse, waiting }]) => ({
      place,
      inUse,
      idle: idle.filter(({ connection }) => connection?.isOpen === true).length,
      waiting: waiting.size,
    }))
  }

  #place(name: string): Place {
    let place = this.#places.get(name)
    if (place === undefined) {
      place = { idle: [], waiting: new Set(), inUse: 0 }
      this.#places.set(name, place)
    }
    return place
  }
}

/** The best of the idle connections; those that cannot be used any more are dropped. */
function takeIdle({ idle }: Place, { bindDn, bindPassword }: LdapTarget, ttl: number): PooledConnection | null {
  const oldest = performance.now() - ttl
  for (let index = idle.length - 1; index >= 0; index--) {
    const { connection, freedAt } = idle[index]
    if (connection?.isOpen === true && freedAt >= oldest) continue
    connection?.close()
    idle.splice(index, 1)
  }
  const best = idle.findIndex(({ boundAs }) => boundAs !== null && isAccount(boundAs, bindDn, bindPassword))
  const [found] = idle.splice(best < 0 ? idle.length - 1 : best, 1)
  if (found === undefined) return null
  found.connection?.ref()
  return found
}

export function isAccount({ dn, password }: Account, bindDn: string | null, bindPassword: string | null): boolean {
  return dn === bindDn && password === bindPassword
}
