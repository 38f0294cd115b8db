import type { ConnectionRegistry } from './connection-registry.ts'
import type { ConnectionShare, ConnectionShares } from './connection-shares.ts'
import { NOT_DISPLACEABLE } from './displacement-rank.ts'
import type { EngineConnection } from './engine-connection.ts'

/** Candidates found by one walk over all connections, so that not every new connection needs a walk. */
const FOUND_AT_ONCE = 64

/**
 * A candidate stays valid while its client has at least this share of its connections at the time of the
 * walk; below that, other clients may have more.
 */
const STILL_GREEDY = 7 / 8

/**
 * Chooses the connection to close if there is no capacity for a new one: a displaceable connection of the
 * client that has the most connections among those with displaceable ones.
 */
export class Displacement {
  readonly #registry: ConnectionRegistry
  readonly #shares: ConnectionShares
  /** The candidates; the next one is at the end. */
  #found: EngineConnection[]
  /** A client with fewer connections than this no longer has the most. */
  #least: number
  /** The time on the engine's clock of the last walk without a result. */
  #inVainAt: number

  constructor(registry: ConnectionRegistry, shares: ConnectionShares) {
    this.#registry = registry
    this.#shares = shares
    this.#found = []
    this.#least = 0
    this.#inVainAt = -1
  }

  /**
   * The connection to close for a new one, whose client must have fewer connections.
   * @param now on the engine's clock
   * @returns null if no connection may be closed
   */
  choose(group: string, now: number): EngineConnection | null {
    const own = this.#shares.countOf(group)
    // The client with the most connections is rejected without a search, regardless of how often it connects.
    if (own >= this.#shares.most) return null
    const known = this.#take(own, now)
    if (known !== null || this.#found.length > 0 || this.#inVainAt === now) return known
    this.#search(now)
    if (this.#found.length === 0) this.#inVainAt = now
    return this.#take(own, now)
  }

  /**
   * The next candidate that is still valid. If the client of the new connection has as many connections, the
   * candidates are kept for other clients.
   */
  #take(own: number, now: number): EngineConnection | null {
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

  /** The largest number of connections among clients with a displaceable one. */
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
  readonly connection: EngineConnection
  readonly rank: number
}

/** A connection that was closed for a new one. */
export interface Displaced {
  /** The share of its client, including this connection. */
  readonly from: ConnectionShare
  /** The share of the new connection's client, without the new connection. */
  readonly by: ConnectionShare
}
