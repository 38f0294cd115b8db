/** Replaces the characters from `start` up to `end`. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Applies edits to one text. If two overlap, as two diagnostics of one expression may, the later one is
 * omitted.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let copied = 0
  for (const { start, end, text: replacement } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < copied) continue
    result += text.slice(copied, start) + replacement
    copied = end
  }
  return result + text.slice(copied)
}
