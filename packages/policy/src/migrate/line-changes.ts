export interface LineChange {
  readonly kind: 'same' | 'removed' | 'added'
  /** With its line end. */
  readonly text: string
}

/** Cells of the table that is filled at most; texts that differ more are shown as replaced. */
const MAX_CELLS = 4_000_000

/** Compares two texts line by line and keeps as many lines as possible. */
export function lineChanges(before: string, after: string): LineChange[] {
  const old = linesOf(before)
  const now = linesOf(after)
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++
  return [
    ...old.slice(0, start).map((text) => change('same', text)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map((text) => change('same', text)),
  ]
}

function middle(old: readonly string[], now: readonly string[]): LineChange[] {
  if (old.length * now.length > MAX_CELLS)
    return [...old.map((text) => change('removed', text)), ...now.map((text) => change('added', text))]
  const width = now.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      common[row * width + column] =
        old[row] === now[column]
          ? common[(row + 1) * width + column + 1] + 1
          : Math.max(common[(row + 1) * width + column], common[row * width + column + 1])
  const changes: LineChange[] = []
  let row = 0
  let column = 0
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      changes.push(change('same', old[row]))
      row++
      column++
    } else if (
      row < old.length &&
      (column === now.length || common[(row + 1) * width + column] >= common[row * width + column + 1])
    )
      changes.push(change('removed', old[row++]))
    else changes.push(change('added', now[column++]))
  }
  return changes
}

function change(kind: LineChange['kind'], text: string): LineChange {
  return { kind, text }
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
