import type { TextEdit } from 'vscode-languageserver/node'

/**
 * The edits that make one text of another, line by line: equal lines at both ends of a difference stay.
 * @param lines only differences within these lines, from 0; null for all
 */
export function changedLines(before: string, after: string, lines: readonly [number, number] | null): TextEdit[] {
  return differences(before.split('\n'), after.split('\n'))
    .filter(({ start, end }) => lines === null || (lines[0] <= start && end <= lines[1] + 1))
    .map(({ start, end, text }) => ({
      range: { start: { line: start, character: 0 }, end: { line: end, character: 0 } },
      newText: text.map((line) => `${line}\n`).join(''),
    }))
}

interface Difference {
  /** Lines from `start` up to `end` are replaced. */
  readonly start: number
  readonly end: number
  readonly text: readonly string[]
}

/** Lines that are looked at for the next equal ones. */
const WINDOW = 400

function differences(old: readonly string[], now: readonly string[]): Difference[] {
  const found: Difference[] = []
  let a = 0
  let b = 0
  while (a < old.length || b < now.length) {
    if (a < old.length && b < now.length && old[a] === now[b]) {
      a++
      b++
      continue
    }
    const [skippedOld, skippedNew] = nextEqual(old, now, a, b)
    found.push({ start: a, end: a + skippedOld, text: now.slice(b, b + skippedNew) })
    a += skippedOld
    b += skippedNew
  }
  return found
}

/** The smallest numbers of lines to skip on both sides before two equal lines. */
function nextEqual(old: readonly string[], now: readonly string[], a: number, b: number): readonly [number, number] {
  for (let sum = 1; sum < WINDOW; sum++)
    for (let skipped = 0; skipped <= sum; skipped++) {
      const [left, right] = [a + skipped, b + sum - skipped]
      const isEqual = left < old.length && right < now.length && old[left] === now[right] && old[left].trim() !== ''
      if (isEqual) return [skipped, sum - skipped]
    }
  return [old.length - a, now.length - b]
}
