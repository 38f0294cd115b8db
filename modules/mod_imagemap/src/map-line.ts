import type { Point } from './shapes.ts'

/** httpd ignores the corners after these. */
const MOST_CORNERS = 100

const FIELDS = /^(\S+)\s+(\S+)\s*(.*)$/s
const QUOTED = /^\s*"([^"]*)"?/
const PAIR = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))[, ]+([+-]?(?:\d+\.?\d*|\.\d+))/

/** A line of a map file: what it says, and where. */
export type MapLine =
  | { readonly kind: 'blank' }
  | { readonly kind: 'comment'; readonly text: string }
  | {
      readonly kind: 'directive'
      readonly name: string
      readonly value: string
      readonly text: string | null
      readonly corners: readonly Point[]
    }
  | { readonly kind: 'unreadable'; readonly number: number }

/** The lines of a map file; a line that ends with a backslash continues in the next one. @param text one character for each byte */
export function* mapLines(text: string): Generator<MapLine> {
  const rows = text.split('\n')
  if (rows.at(-1) === '') rows.pop()
  let line = ''
  for (const [index, row] of rows.entries()) {
    const end = row.replace(/\r$/, '')
    if (end.endsWith('\\') && !end.endsWith('\\\\')) {
      line += end.slice(0, -1)
      continue
    }
    yield parse((line + end).trim(), index + 1)
    line = ''
  }
  if (line !== '') yield parse(line.trim(), rows.length)
}

function parse(line: string, number: number): MapLine {
  if (line === '') return { kind: 'blank' }
  if (line.startsWith('#')) return { kind: 'comment', text: line.slice(1) }
  const [, name, value, after] = FIELDS.exec(line) ?? []
  if (name === undefined) return { kind: 'unreadable', number }
  const before = QUOTED.exec(after)
  const { corners, rest } = cornersOf(before === null ? after : after.slice(before[0].length))
  const text = before?.[1] ?? QUOTED.exec(rest)?.[1] ?? null
  return { kind: 'directive', name: name.toLowerCase(), value, text, corners }
}

function cornersOf(text: string): { readonly corners: readonly Point[]; readonly rest: string } {
  const corners: Point[] = []
  let rest = text
  while (corners.length < MOST_CORNERS) {
    const pair = PAIR.exec(rest)
    if (pair === null) break
    corners.push({ x: Number(pair[1]), y: Number(pair[2]) })
    rest = rest.slice(pair[0].length)
  }
  return { corners, rest }
}
