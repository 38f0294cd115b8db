/** Where a key belongs, and which bit of the directory would record a split of its page. */
export interface Place {
  readonly page: number
  /** Index of the first clear bit on the path through the tree. */
  readonly bit: number
  /** The low bits of the hash, which are the page's number. */
  readonly mask: number
}

/** The extent by which `.dir` grows. */
export const DIRECTORY_BLOCK = 4096

/** Page numbers with more bits are never followed or made: such a file would exceed a terabyte. */
export const DEEPEST_MASK = 0x3fffffff

/**
 * Walks the tree of split pages in `.dir`: bit 0 is the root, the children of bit n are 2n+1 and 2n+2, and a
 * set bit is a page that was split by the next bit of the hash.
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

/**
 * The numbers of all pages that a hash can lead to, ascending.
 * @returns undefined if one of them is not below `end`, because every page that a split made has been written
 */
export function reachablePages(directory: Buffer, end: number): Float64Array | undefined {
  const bits = directory.length * 8
  const pages: number[] = []
  const nodes: Place[] = [{ page: 0, bit: 0, mask: 0 }]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const { page, bit, mask } = node
    // Pages further down the tree have higher numbers. Without any split there may be no page yet.
    if (page >= end) {
      if (mask > 0) return undefined
      continue
    }
    if (bit < bits && mask < DEEPEST_MASK && isSet(directory, bit)) {
      const deeper = mask * 2 + 1
      nodes.push({ page, bit: childOf(bit, mask, page), mask: deeper })
      nodes.push({ page: page + mask + 1, bit: childOf(bit, mask, page + mask + 1), mask: deeper })
    } else {
      pages.push(page)
    }
  }
  return Float64Array.from(pages).sort()
}

/** The child of a split node that the hash leads to. */
export function childOf(bit: number, mask: number, hash: number): number {
  return 2 * bit + ((hash & (mask + 1)) === 0 ? 1 : 2)
}

function isSet(directory: Buffer, bit: number): boolean {
  return (directory[Math.floor(bit / 8)] & (1 << (bit % 8))) !== 0
}
