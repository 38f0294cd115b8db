/** The open connections of one client. */
export interface ConnectionShare {
  /** The client, as named by clientGroup. */
  readonly group: string
  /** Its open connections. */
  readonly count: number
}

/**
 * How many connections each client has open, and the largest of these numbers. Opening or closing a
 * connection costs one step.
 */
export class ConnectionShares {
  readonly #shares: Map<string, OpenShare>
  /** The number of clients by their number of connections. */
  readonly #clients: number[]
  #most: number

  constructor() {
    this.#shares = new Map()
    this.#clients = [0]
    this.#most = 0
  }

  /** The number of connections of the client with the most. */
  get most(): number {
    return this.#most
  }

  /** The number of clients with connections. */
  get clients(): number {
    return this.#shares.size
  }

  countOf(group: string): number {
    return this.#shares.get(group)?.count ?? 0
  }

  /**
   * Counts another connection.
   * @returns the share to pass to `close`
   */
  open(group: string): ConnectionShare {
    let share = this.#shares.get(group)
    if (share === undefined) {
      share = { group, count: 0 }
      this.#shares.set(group, share)
    }
    this.#move(share, 1)
    if (share.count > this.#most) this.#most = share.count
    return share
  }

  close(share: OpenShare): void {
    this.#move(share, -1)
    if (this.#clients[this.#most] === 0) this.#most--
    if (share.count === 0) this.#shares.delete(share.group)
  }

  #move(share: OpenShare, step: 1 | -1): void {
    if (share.count > 0) this.#clients[share.count]--
    share.count += step
    if (share.count === this.#clients.length) this.#clients.push(0)
    if (share.count > 0) this.#clients[share.count]++
  }
}

interface OpenShare extends ConnectionShare {
  count: number
}
