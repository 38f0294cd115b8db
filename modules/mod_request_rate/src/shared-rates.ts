import type { SharedStore } from '@gatewright/api'

/** Others were quicker so many times: the key is used far above any rate. */
const MOST_TRIES = 20
/** Milliseconds for which the store keeps a time that has passed, so that clocks which differ a little do not lose it. */
const MARGIN = 10_000
/** Milliseconds. Sums of the time of day are rounded, and a burst is used up to its last request. */
const ROUNDING = 0.01

/** What a key may do. */
export interface SharedRate {
  /** Distinguishes the limit from others, the same on all machines. */
  readonly salt: number
  /** Milliseconds that one request takes at the rate. */
  readonly cost: number
  /** Milliseconds that a client may be ahead: its burst. */
  readonly ahead: number
}

/**
 * The generic cell rate algorithm with its times in a store that machines share: the time at which a key will have paid for all of
 * its requests is replaced in one step, so that however many machines count, no request is counted for nothing and none is lost.
 */
export class SharedRates {
  readonly #store: Pick<SharedStore, 'get' | 'compareAndSet'>
  readonly #now: () => number
  /** The last request of each key that waits for the store: requests of one process do not compete. */
  readonly #turns = new Map<string, Promise<number | undefined>>()

  /** @param now milliseconds since 1970, of a clock that the machines agree on */
  constructor(store: Pick<SharedStore, 'get' | 'compareAndSet'>, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /**
   * Counts a request if it is within the rate.
   * @returns 0 if it is; otherwise the milliseconds until one more would be; undefined if the store does not answer
   */
  take(rate: SharedRate, key: string): Promise<number | undefined> {
    const id = `${rate.salt}:${key}`
    const attempt = (): Promise<number | undefined> => this.#attempt(rate, id)
    const turn = this.#turns.get(id)?.then(attempt, attempt) ?? attempt()
    this.#turns.set(id, turn)
    const end = (): void => {
      if (this.#turns.get(id) === turn) this.#turns.delete(id)
    }
    turn.then(end, end)
    return turn
  }

  /** Milliseconds until one more request would be within the rate; 0 if it is. Counts nothing. */
  async wait({ salt, ahead }: SharedRate, key: string): Promise<number> {
    const now = this.#now()
    return Math.max(0, timeIn(await this.#store.get(`${salt}:${key}`)) - ahead - now)
  }

  async #attempt({ cost, ahead }: SharedRate, id: string): Promise<number | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const before = await this.#store.get(id)
      const now = this.#now()
      const until = Math.max(timeIn(before), now)
      const wait = until - ahead - now
      if (wait > ROUNDING) return wait
      const after = until + cost
      const kept = await this.#store.compareAndSet(id, before, bytesOf(after), Math.ceil(after - now) + MARGIN)
      if (kept === undefined) return undefined
      if (kept) return 0
    }
    return cost
  }
}

const LENGTH = 8

function bytesOf(time: number): Uint8Array {
  const bytes = Buffer.alloc(LENGTH)
  bytes.writeDoubleBE(time)
  return bytes
}

/** Bytes of another form are no time: they are replaced. */
function timeIn(bytes: Uint8Array | undefined): number {
  if (bytes?.length !== LENGTH) return 0
  const time = Buffer.from(bytes).readDoubleBE()
  return Number.isFinite(time) ? time : 0
}
