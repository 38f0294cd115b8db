/** Where a key belongs, and where the directory would note that its page has been split. */
export interface Place {
  readonly page: number
  /** Index of the first clear bit on the way. */
  readonly bit: number
  /** The low bits of the hash that number the page. */
  readonly mask: number
}

/** The extent by which `.dir` grows. */
export const DIRECTORY_BLOCK = 4096

/** No page number of more bits is ever followed or made: such a file would have a terabyte. */
export const DEEPEST_MASK = 0x3fffffff

/**
 * Walks the tree of split pages that `.dir` is: bit 0 is the root, the children of bit n are 2n+1 and 2n+2, and a set bit is a page
 * that has been split by the next bit of the hash.
 */
export function locate(directory: Buffer, hash: number): Place {
  const bits = directory.length * 8
  let bit = 0
  let mask = 0
  while (bit < bits && mask < DEEPEST_MASK && isSet(directory, bit)) {
    bit = childOf(bit, mask, hash)
    mask = mask * 2 + 1
  }
  return { page: hash & mask, bit, mask }
}

/** The node below a split one that the hash leads to. */
export function childOf(bit: number, mask: number, hash: number): number {
  return 2 * bit + ((hash & (mask + 1)) === 0 ? 1 : 2)
}

function isSet(directory: Buffer, bit: number): boolean {
  return (directory[Math.floor(bit / 8)] & (1 << (bit % 8))) !== 0
}
