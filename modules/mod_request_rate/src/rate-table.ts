import { createHash } from 'node:crypto'

/** Rows of the table: a client is refused only if all of its cells are too far ahead. */
const ROWS = 4
/** Cells of a row. */
const CELLS = 32_768
/** The length of the table. */
export const TABLE_LENGTH: number = ROWS * CELLS

/** Reports to other processes what was added to a cell, in milliseconds. */
export type Announce = (cell: number, amount: number) => void

/**
 * How far clients are ahead of their rates, by the generic cell rate algorithm: a cell has the time at which the client will
 * have paid for all of its requests. Each key has one cell in each row, so that the table has a fixed size however many keys
 * there are. Keys that share all of their cells share their rate; a secret seed keeps clients from looking for such keys.
 */
export class RateTable {
  readonly #until = new Float64Array(TABLE_LENGTH)
  readonly #seed: number
  readonly #step: number
  readonly #announce: Announce
  readonly #cells = new Int32Array(ROWS)

  /** @param seed 32 bytes, the same in all processes */
  constructor(seed: Uint8Array, announce: Announce) {
    const bytes = createHash('sha256').update(seed).digest()
    this.#seed = bytes.readInt32LE(0)
    this.#step = bytes.readInt32LE(4)
    this.#announce = announce
  }

  /**
   * How long the key has to wait until one more request is within its rate.
   * @param salt of the limit, by which its keys differ from those of others
   * @param now in milliseconds, of a clock that never goes back
   * @param ahead how far it may be ahead, in milliseconds: its burst
   * @returns milliseconds; 0 or less if the request is within the rate
   */
  wait(salt: number, key: string, now: number, ahead: number): number {
    const cells = this.#find(salt, key)
    let until = Number.POSITIVE_INFINITY
    for (let row = 0; row < ROWS; row++) until = Math.min(until, this.#until[cells[row]])
    return until - ahead - now
  }

  /** Counts a request. @param cost in milliseconds: the time that one request takes at the rate */
  take(salt: number, key: string, now: number, cost: number): void {
    const cells = this.#find(salt, key)
    for (let row = 0; row < ROWS; row++) {
      this.added(cells[row], cost, now)
      this.#announce(cells[row], cost)
    }
  }

  /** Another process has counted a request. */
  added(cell: number, amount: number, now: number): void {
    this.#until[cell] = Math.max(this.#until[cell], now) + amount
  }

  /** Two seeded hashes, of which those of the rows are combinations. */
  #find(salt: number, key: string): Int32Array {
    let one = this.#seed ^ salt
    let other = this.#step + salt
    for (let index = 0; index < key.length; index++) {
      const code = key.charCodeAt(index)
      one = Math.imul(one ^ code, 0x01000193)
      other = Math.imul(other + code, 0x85ebca6b) ^ (other >>> 13)
    }
    one = mixed(one)
    other = mixed(other) | 1
    const cells = this.#cells
    for (let row = 0; row < ROWS; row++) cells[row] = row * CELLS + (mixed(one + Math.imul(row, other)) & (CELLS - 1))
    return cells
  }
}

/** The last step of MurmurHash3: every bit of the result depends on all bits. */
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** A number for a text, the same in all processes. */
export function saltOf(text: string): number {
  return createHash('sha256').update(text).digest().readInt32LE(0)
}
