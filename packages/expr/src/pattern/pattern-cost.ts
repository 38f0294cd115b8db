import { addAll, type ByteSet, emptySet, rangeSet } from './byte-set.ts'
import type { PatternNode, RepeatNode } from './pattern-node.ts'
import { isNullable } from './pattern-width.ts'

/** In bytes: the longest URL or header that a server takes as it is usually set up. */
const TEXT = 8192

/**
 * An estimate, from above, of the steps that backtracking may take on a text of 8 KiB: about 8192 for a pattern that passes over the text
 * once, its square where every place is tried anew, Infinity where repetitions are nested so that the number of ways doubles with every byte.
 */
export function patternCost(root: PatternNode): number {
  const { work } = costOf(root, emptySet())
  return isAnchored(root) ? work : work * TEXT
}

interface Cost {
  /** In how many ways the node can match at one place. */
  readonly ways: number
  /** Steps to try all of them. */
  readonly work: number
}

/** @param follow bytes that what stands behind the node can begin with; where none fits the next byte, no other way need be tried */
function costOf(node: PatternNode, follow: ByteSet): Cost {
  switch (node.kind) {
    case 'set':
    case 'assertion':
      return { ways: 1, work: 1 }
    case 'backReference':
      return { ways: 1, work: TEXT }
    case 'capture':
      return costOf(node.body, follow)
    case 'atomic':
    case 'look':
      return { ways: 1, work: costOf(node.body, emptySet()).work }
    case 'sequence':
      return sequenceCost(node.items, follow)
    case 'alternatives':
      return alternativesCost(node.branches, follow)
    case 'repeat':
      return repeatCost(node, follow)
  }
}

/** Whatever comes later is tried again for each way of what comes before. */
function sequenceCost(items: readonly PatternNode[], follow: ByteSet): Cost {
  const follows: ByteSet[] = []
  for (let index = items.length - 1, behind = follow; index >= 0; index--) {
    follows[index] = behind
    behind = beginning(items[index], behind)
  }
  let ways = 1
  let work = 1
  items.forEach((item, index) => {
    const cost = costOf(item, follows[index])
    work += ways * cost.work
    ways *= cost.ways
  })
  return { ways, work }
}

function alternativesCost(branches: readonly PatternNode[], follow: ByteSet): Cost {
  const seen = emptySet()
  let apart = true
  let most = 0
  let ways = 0
  let work = 0
  for (const branch of branches) {
    const cost = costOf(branch, follow)
    const first = beginning(branch, follow)
    if (meet(seen, first) || isNullable(branch)) apart = false
    addAll(seen, first)
    most = Math.max(most, cost.ways)
    ways += cost.ways
    work += cost.work
  }
  return { ways: apart ? most : ways, work }
}

function repeatCost(node: RepeatNode, follow: ByteSet): Cost {
  const { body, min } = node
  const max = Math.min(node.max, TEXT)
  if (max === 0) return { ways: 1, work: 1 }
  const first = beginning(body, emptySet())
  const again = follow.slice()
  if (max > 1) addAll(again, first)
  const inner = costOf(body, again)
  const rounds = inner.ways ** max
  // A round takes at least a byte, so that all rounds together pass over the text once; not so where something looks ahead in each.
  const work = looks(body) ? inner.work * max : Math.max(inner.work, max)
  const choices = max === min || (!isNullable(body) && !meet(first, follow)) ? 1 : max - min + 1
  const ways = node.greed === 'possessive' ? 1 : isNullable(body) && max > 1 ? Number.POSITIVE_INFINITY : rounds * choices
  return { ways, work: Math.max(work, rounds) }
}

/** Bytes that the node, or when it can be empty what stands behind it, can begin with. */
function beginning(node: PatternNode, behind: ByteSet): ByteSet {
  switch (node.kind) {
    case 'set':
      return node.set
    case 'assertion':
      // Nothing stands behind the very end.
      return node.source === '$' ? emptySet() : behind
    case 'look':
      return behind
    case 'backReference':
      return rangeSet(0, 255)
    case 'capture':
    case 'atomic':
      return beginning(node.body, behind)
    case 'sequence':
      return node.items.reduceRight((following, item) => beginning(item, following), behind)
    case 'alternatives': {
      const all = emptySet()
      for (const branch of node.branches) addAll(all, beginning(branch, behind))
      return all
    }
    case 'repeat': {
      if (node.max === 0) return behind
      const first = beginning(node.body, behind)
      if (node.min > 0) return first
      const all = first.slice()
      addAll(all, behind)
      return all
    }
  }
}

function meet(a: ByteSet, b: ByteSet): boolean {
  return a.some((member, byte) => member === 1 && b[byte] === 1)
}

function looks(node: PatternNode): boolean {
  switch (node.kind) {
    case 'look':
    case 'backReference':
      return true
    case 'capture':
    case 'atomic':
    case 'repeat':
      return looks(node.body)
    case 'sequence':
      return node.items.some(looks)
    case 'alternatives':
      return node.branches.some(looks)
    default:
      return false
  }
}

/** True when there is only one place where a match can begin. */
function isAnchored(node: PatternNode): boolean {
  switch (node.kind) {
    case 'assertion':
      return node.source === '^'
    case 'sequence':
      return node.items.length > 0 && isAnchored(node.items[0])
    case 'alternatives':
      return node.branches.every(isAnchored)
    case 'capture':
    case 'atomic':
      return isAnchored(node.body)
    default:
      return false
  }
}
