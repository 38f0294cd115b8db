import type { HttpEngine } from '@gatewright/http'

/** Bytes that the responses of all connections together may have read before their clients take them. */
const MOST = 16 * 1024 * 1024

/** A response reads at least so much at once, also for a client that takes less. */
const USUAL = 64 * 1024

/** The same if all of the above are waiting. */
const LEAST = 16 * 1024

/**
 * Bytes of files that were read and wait for clients. Large blocks are efficient, but a client can let them wait on each of
 * a hundred streams, and on many connections.
 */
export class ReadAhead {
  #waiting = 0

  /**
   * Grants a block, whose bytes count until they are passed to `taken`.
   * @param wanted bytes
   * @param admitted bytes that the client takes at once
   * @returns its length
   */
  grant(wanted: number, admitted: number): number {
    const useful = Math.min(wanted, Math.max(USUAL, admitted))
    const granted = this.#waiting + useful <= MOST ? useful : Math.min(useful, LEAST)
    this.#waiting += granted
    return granted
  }

  /** So many bytes wait no longer. */
  taken(bytes: number): void {
    this.#waiting -= bytes
  }
}

const OF_ENGINES = new WeakMap<HttpEngine, ReadAhead>()

/** What the connections of an engine share. */
export function readAheadOf(engine: HttpEngine): ReadAhead {
  const known = OF_ENGINES.get(engine)
  if (known !== undefined) return known
  const created = new ReadAhead()
  OF_ENGINES.set(engine, created)
  return created
}
