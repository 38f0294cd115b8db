import { addAll, type ByteSet, emptySet, rangeSet } from './byte-set.ts'
import type { PatternNode, RepeatNode } from './pattern-node.ts'
import { isNullable } from './pattern-width.ts'

/** In bytes: the longest URL or header that a server accepts by default. */
const TEXT = 8192

/**
 * An upper estimate of the backtracking steps for a text of 8 KiB: about 8192 for a pattern that makes a
 * single pass, the square of that if it restarts at every position, and Infinity if nested repetitions double
 * the number of alternatives with every byte.
 */
export function patternCost(root: PatternNode): number {
  const { work } = costOf(root, emptySet())
  return isAnchored(root) ? work : work * TEXT
}

interface Cost {
  /** The number of ways in which the node can match at one position. */
  readonly ways: number
  /** Steps needed to try all of them. */
  readonly work: number
}

/**
 * @param follow bytes with which the text after the node can begin; if the next byte is none of them, no
 * other way is tried
 */
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

/** Later nodes are retried for each way in which the earlier ones match. */
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
  // Each iteration consumes at least one byte, so all iterations together make a single pass, unless each
  // contains a look-ahead.
  const work = looks(body) ? inner.work * max : Math.max(inner.work, max)
  const choices = max === min || (!isNullable(body) && !meet(first, follow)) ? 1 : max - min + 1
  const ways = node.greed === 'possessive' ? 1 : isNullable(body) && max > 1 ? Number.POSITIVE_INFINITY : rounds * choices
  return { ways, work: Math.max(work, rounds) }
}

/**
 * Bytes with which the node can begin, or, if the node can be empty, with which the text after it can begin.
 */
function beginning(node: PatternNode, behind: ByteSet): ByteSet {
  switch (node.kind) {
    case 'set':
      return node.set
    case 'assertion':
      // Nothing follows the very end.
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

/** True if a match can begin at only one position. */
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
