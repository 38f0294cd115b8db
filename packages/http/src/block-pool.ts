/** The settings of a pool, in bytes and blocks. */
export interface BlockPoolOptions {
  /** Size of a full block. */
  readonly blockSize: number
  /**
   * How many full blocks may be in use at a time. Further blocks are small, so that many slow readers use
   * little memory.
   */
  readonly fullBlocks: number
  readonly smallSize: number
  /** How many unused full blocks are kept for the next file. */
  readonly kept: number
}

/**
 * Large blocks are efficient (each costs a read, a write and two callbacks), but a block is in use for as
 * long as its reader is slow.
 */
const DEFAULTS: BlockPoolOptions = { blockSize: 1024 * 1024, fullBlocks: 64, smallSize: 64 * 1024, kept: 16 }

/** Reusable buffers for reading files. */
export class BlockPool {
  readonly #options: BlockPoolOptions
  readonly #free: Buffer[]
  #out: number

  constructor(options: BlockPoolOptions = DEFAULTS) {
    this.#options = options
    this.#free = []
    this.#out = 0
  }

  /**
   * A block for a file of `length` bytes: at most that size, and at most a full block. Its contents are
   * arbitrary.
   */
  take(length: number): Buffer {
    const { blockSize, fullBlocks, smallSize } = this.#options
    if (length <= smallSize) return Buffer.allocUnsafeSlow(Math.max(length, 1))
    if (this.#out >= fullBlocks) return Buffer.allocUnsafeSlow(smallSize)
    this.#out++
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(blockSize)
  }

  /** Returns a block that is no longer in use, not even by the system. */
  give(block: Buffer): void {
    if (block.length !== this.#options.blockSize) return
    this.#out--
    if (this.#free.length < this.#options.kept) this.#free.push(block)
  }
}
