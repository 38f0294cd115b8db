import { type LineChange, lineChanges } from './line-changes.ts'

const CONTEXT = 3

/** The difference of two texts in the format of `diff -u`, which `patch` accepts. '' if there is none. */
export function unifiedDiff(
  before: { readonly name: string; readonly text: string },
  after: { readonly name: string; readonly text: string },
): string {
  const changes = lineChanges(before.text, after.text)
  const touched = changes.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index]))
  if (touched.length === 0) return ''
  let out = `--- ${before.name}\n+++ ${after.name}\n`
  for (const [first, last] of hunks(touched, changes.length)) out += hunk(changes, first, last)
  return out
}

/** Ranges of changes with their context; adjacent ranges are joined. */
function hunks(touched: readonly number[], length: number): [number, number][] {
  const ranges: [number, number][] = []
  for (const index of touched) {
    const first = Math.max(0, index - CONTEXT)
    const last = Math.min(length - 1, index + CONTEXT)
    const open = ranges.at(-1)
    if (open !== undefined && first <= open[1] + 1) open[1] = last
    else ranges.push([first, last])
  }
  return ranges
}

function hunk(changes: readonly LineChange[], first: number, last: number): string {
  const count = (from: number, to: number, without: string): number =>
    changes.slice(from, to).filter(({ kind }) => kind !== without).length
  const range = (without: string): string => {
    const length = count(first, last + 1, without)
    const start = count(0, first, without) + (length === 0 ? 0 : 1)
    return `${start},${length}`
  }
  const body = changes.slice(first, last + 1).map(({ kind, text }) => {
    const line = `${SIGNS[kind]}${text}`
    return line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`
  })
  return `@@ -${range('added')} +${range('removed')} @@\n${body.join('')}`
}

const SIGNS = { same: ' ', removed: '-', added: '+' } as const
