/** What one client holds. */
export interface ConnectionShare {
  /** As clientGroup names it. */
  readonly group: string
  /** Its open connections. */
  readonly count: number
}

/**
 * How many connections each client has open, and how many the greediest. A connection costs one step when it
 * opens and one when it closes.
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

  /** Connections of the client that has most of them. */
  get most(): number {
    return this.#most
  }

  /** Clients that have any. */
  get clients(): number {
    return this.#shares.size
  }

  countOf(group: string): number {
    return this.#shares.get(group)?.count ?? 0
  }

  /** One more connection. The share is what `close` wants to be given. */
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
