import type { HttpConnection } from './connection.ts'
import type { ConnectionRegistry } from './connection-registry.ts'
import type { ConnectionShare, ConnectionShares } from './connection-shares.ts'
import { NOT_DISPLACEABLE } from './displacement-rank.ts'

/** Found in one walk over all connections, so that a walk is not paid for by a single newcomer. */
const FOUND_AT_ONCE = 64

/**
 * A candidate stays valid while its client holds at least this share of what it held when found: by then,
 * others may hold more.
 */
const STILL_GREEDY = 7 / 8

/**
 * Chooses the connection to close when there is no capacity for a new one: one of the client that holds most
 * connections among those that have a dispensable one.
 */
export class Displacement {
  readonly #registry: ConnectionRegistry
  readonly #shares: ConnectionShares
  /** The next one is the last. */
  #found: HttpConnection[]
  /** A client that holds fewer than this is not the greediest any more. */
  #least: number
  /** When the last walk was in vain, on the engine's clock. */
  #inVainAt: number

  constructor(registry: ConnectionRegistry, shares: ConnectionShares) {
    this.#registry = registry
    this.#shares = shares
    this.#found = []
    this.#least = 0
    this.#inVainAt = -1
  }

  /**
   * The connection to be closed for a newcomer, whose client has to hold fewer than that of the connection;
   * null when none may be.
   * @param now on the engine's clock
   */
  choose(group: string, now: number): HttpConnection | null {
    const own = this.#shares.countOf(group)
    // The client that holds most is rejected without a search, regardless of how often it connects.
    if (own >= this.#shares.most) return null
    const known = this.#take(own, now)
    if (known !== null || this.#found.length > 0 || this.#inVainAt === now) return known
    this.#search(now)
    if (this.#found.length === 0) this.#inVainAt = now
    return this.#take(own, now)
  }

  /**
   * The next candidate that is still valid. If the new connection's client holds as many, the candidates are
   * left for others.
   */
  #take(own: number, now: number): HttpConnection | null {
    for (let next = this.#found.at(-1); next !== undefined; next = this.#found.at(-1)) {
      const { share } = next
      const good = share !== null && share.count >= this.#least && next.displacementRank(now) < NOT_DISPLACEABLE
      if (good && share.count <= own) return null
      this.#found.pop()
      if (good) return next
    }
    return null
  }

  #search(now: number): void {
    const most = this.#mostWithAny(now)
    const candidates: Candidate[] = []
    for (let i = 0; most > 0 && i < this.#registry.length; i++) {
      const connection = this.#registry.at(i)
      if (connection.share?.count !== most) continue
      const rank = connection.displacementRank(now)
      if (rank < NOT_DISPLACEABLE) candidates.push({ connection, rank })
    }
    candidates.sort((a, b) => a.rank - b.rank)
    this.#found = candidates.slice(0, FOUND_AT_ONCE).map(({ connection }) => connection)
    this.#found.reverse()
    this.#least = Math.ceil(most * STILL_GREEDY)
  }

  /** The largest share of which something may be displaced. */
  #mostWithAny(now: number): number {
    let most = 0
    for (let i = 0; i < this.#registry.length; i++) {
      const connection = this.#registry.at(i)
      const count = connection.share?.count ?? 0
      if (count > most && connection.displacementRank(now) < NOT_DISPLACEABLE) most = count
    }
    return most
  }
}

interface Candidate {
  readonly connection: HttpConnection
  readonly rank: number
}

/** A connection that gave way to a newcomer's. */
export interface Displaced {
  /** Whose it was, as clientGroup names it, and how many that client held, this one included. */
  readonly from: ConnectionShare
  /** The same of the newcomer, without the new connection. */
  readonly by: ConnectionShare
}
