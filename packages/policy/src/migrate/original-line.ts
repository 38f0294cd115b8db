import { lineChanges } from './line-changes.ts'

/** The origin of a line of a rewritten text. */
export interface OriginalLine {
  /** In the old text, from 1: the line itself, or the one that it replaces or precedes. */
  readonly line: number
  /** The inserted line; null for a line of the old text. */
  readonly written: string | null
}

/** @param line of the new text, from 1 */
export function originalLine(before: string, after: string, line: number): OriginalLine {
  if (before === after) return { line, written: null }
  let old = 0
  let now = 0
  for (const { kind, text } of lineChanges(before, after)) {
    if (kind !== 'added') old++
    if (kind !== 'removed') now++
    if (kind === 'removed' || now < line) continue
    return kind === 'same' ? { line: old, written: null } : { line: Math.max(1, old), written: text.trim() }
  }
  return { line: Math.max(1, old), written: null }
}
