import type { Column, Direction } from './config.ts'
import type { Entry } from './entry.ts'
import { IGNORE_CASE, VERSION_SORT } from './index-options.ts'
import { naturalOrder } from './natural-order.ts'

/** How the entries of a listing are compared. */
export interface Order {
  readonly column: Column
  readonly direction: Direction
}

/** Costs of a comparison and of sorting a run, in microseconds. */
const STEPS_OF_A_COMPARISON = 1
const STEPS_OF_A_RUN = 1024
const RUN = 256

/**
 * Sorts the parent first, then folders if they come first, then by column, equal entries by name. In steps
 * for `inTurns`.
 */
export function* sortEntries(entries: readonly Entry[], order: Order, options: number): Generator<number, Entry[]> {
  const upwards = order.direction === 'A' ? 1 : -1
  const compare = (a: Entry, b: Entry): number => {
    if (a.isParent !== b.isParent) return a.isParent ? -1 : 1
    if (a.comesFirst !== b.comesFirst) return a.comesFirst ? -1 : 1
    return upwards * (compareColumn(a, b, order.column, options) || compareNames(a.name, b.name, options))
  }
  let runs: Entry[][] = []
  for (let at = 0; at < entries.length; at += RUN) {
    yield STEPS_OF_A_RUN
    runs.push(entries.slice(at, at + RUN).sort(compare))
  }
  while (runs.length > 1) {
    const merged: Entry[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at], runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

function* merge(
  first: readonly Entry[],
  second: readonly Entry[],
  compare: (a: Entry, b: Entry) => number,
): Generator<number, Entry[]> {
  const merged: Entry[] = []
  let i = 0
  let j = 0
  while (i < first.length && j < second.length) {
    yield STEPS_OF_A_COMPARISON
    merged.push(compare(first[i], second[j]) <= 0 ? first[i++] : second[j++])
  }
  for (; i < first.length; i++) merged.push(first[i])
  for (; j < second.length; j++) merged.push(second[j])
  return merged
}

function compareColumn(a: Entry, b: Entry, column: Column, options: number): number {
  switch (column) {
    case 'M':
      return a.modifiedMs - b.modifiedMs
    case 'S':
      return a.size - b.size
    case 'D': {
      const one = a.description ?? ''
      const other = b.description ?? ''
      return (options & VERSION_SORT) === 0 ? compareBytes(one, other) : naturalOrder(one, other, 'as-they-are')
    }
    default:
      return 0
  }
}

/** If one rule treats names as equal, the next one decides, so that the order is deterministic. */
function compareNames(a: string, b: string, options: number): number {
  const ignoreCase = (options & IGNORE_CASE) !== 0
  let result = 0
  if ((options & VERSION_SORT) !== 0) {
    if (ignoreCase) result = naturalOrder(a, b, 'folded')
    if (result === 0) result = naturalOrder(a, b, 'as-they-are')
  }
  if (result === 0 && ignoreCase) result = compareBytes(foldCase(a), foldCase(b))
  return result === 0 ? compareBytes(a, b) : result
}

function compareBytes(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** Only ASCII letters, because other bytes belong to characters of unknown encoding. */
function foldCase(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
