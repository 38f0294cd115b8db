import type { MagicEntry } from './magic-entry.ts'
import { extended, numberIn, valueWindow } from './value-window.ts'

/**
 * The result of the first test that is true for the beginning of a file, with those of the tests that continue it and are
 * true, too; null if none is.
 * @param bytes the beginning of the file, and one NUL
 */
export function matchMagic(entries: readonly MagicEntry[], bytes: Buffer): string | null {
  let at = 0
  while (at < entries.length) {
    const entry = entries[at]
    if (isTrue(entry, bytes)) return withContinuations(entries, at, bytes)
    at++
    while (at < entries.length && entries[at].level > 0) at++
  }
  return null
}

function withContinuations(entries: readonly MagicEntry[], first: number, bytes: Buffer): string {
  let { result } = entries[first]
  let needsBlank = result !== ''
  let level = 1
  for (let at = first + 1; at < entries.length && entries[at].level > 0; at++) {
    const entry = entries[at]
    if (entry.level > level) continue
    level = entry.level
    if (!isTrue(entry, bytes)) continue
    if (needsBlank && !entry.joins && entry.result !== '') result += ' '
    result += entry.result
    needsBlank = needsBlank || entry.result !== ''
    level++
  }
  return result
}

function isTrue(entry: MagicEntry, bytes: Buffer): boolean {
  const window = valueWindow(entry, bytes)
  if (window === null) return false
  if (typeof entry.value === 'string') return isRelated(entry, compareBytes(window, entry.value), 0n)
  const number = extended(entry, numberIn(entry.type, window))
  return isRelated(entry, entry.mask === null ? number : number & entry.mask, entry.value)
}

function isRelated({ relation, isUnsigned }: MagicEntry, found: bigint, value: bigint): boolean {
  switch (relation) {
    case 'x':
      return true
    case '=':
      return found === value
    case '!':
      return found !== value
    case '<':
      return isUnsigned ? BigInt.asUintN(64, found) < BigInt.asUintN(64, value) : found < value
    case '>':
      return isUnsigned ? BigInt.asUintN(64, found) > BigInt.asUintN(64, value) : found > value
    case '&':
      return (found & value) === value
    case '^':
      return (found & value) !== value
  }
}

/** Less than, equal to or greater than 0, as the bytes are to the value. */
function compareBytes(window: Buffer, value: string): bigint {
  for (let index = 0; index < value.length; index++) {
    const difference = window[index] - value.charCodeAt(index)
    if (difference !== 0) return BigInt(difference)
  }
  return 0n
}
