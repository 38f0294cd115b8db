/** A basic regular expression as one of the server's patterns. */
export interface Translated {
  readonly source: string
  /** Whether it matches at the beginning of the text only. */
  readonly anchored: boolean
  readonly groups: number
}

/** The largest number in `\{ \}`. */
const MAX_REPEATS = 255

/** The largest number of groups. */
const MAX_GROUPS = 9

/**
 * Translates a basic regular expression in the syntax of mod_sed: `\( \)`, `\{ \}`, `\1`, `*`, `.`, `[ ]`, `^` at the
 * beginning and `$` at the end. A backslash is ordinary in `[ ]`, and `*` after a group is an asterisk.
 * @returns an error text if it is invalid
 */
export function translateExpression(text: string): Translated | { readonly error: string } {
  const anchored = text.startsWith('^')
  let source = anchored ? '^' : ''
  let at = anchored ? 1 : 0
  let groups = 0
  const open: number[] = []
  const closed = new Set<number>()
  /** The item that a repetition applies to; '' if there is none. */
  let item = ''
  const flush = (next: string): void => {
    source += item
    item = next
  }
  while (at < text.length) {
    const char = text[at]
    if (char === '$' && at === text.length - 1) {
      flush('')
      source += '$'
      at++
    } else if (char === '.') {
      flush('(?s:.)')
      at++
    } else if (char === '*' && item !== '') {
      if (!item.endsWith(')*') || !item.startsWith('(?:')) item = `(?:${item})*`
      at++
    } else if (char === '[') {
      const set = bracketSet(text, at)
      if (set === null) return { error: '[ ] imbalance' }
      flush(set.source)
      at = set.end
    } else if (char === '\\') {
      const next = text[at + 1]
      at += 2
      if (next === undefined) {
        flush('\\\\')
      } else if (next === '(') {
        if (groups >= MAX_GROUPS) return { error: 'too many \\( \\) pairs' }
        flush('')
        source += '('
        groups++
        open.push(groups)
      } else if (next === ')') {
        const group = open.pop()
        if (group === undefined) return { error: '\\( \\) imbalance' }
        flush('')
        source += ')'
        closed.add(group)
      } else if (next === '{' && item !== '') {
        const repeats = repetition(text, at)
        if ('error' in repeats) return repeats
        item = `(?:${item})${repeats.source}`
        flush('')
        at = repeats.end
      } else if (next >= '1' && next <= '9') {
        if (!closed.has(Number(next))) return { error: "``\\digit'' out of range" }
        flush(`(?:\\${next})`)
      } else {
        flush(next === 'n' ? '\\n' : literal(next))
      }
    } else {
      flush(literal(char))
      at++
    }
  }
  flush('')
  return open.length > 0 ? { error: '\\( \\) imbalance' } : { source, anchored, groups }
}

function literal(char: string): string {
  return /[A-Za-z0-9]/.test(char) ? char : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** A set from its `[` on, as a set of escapes; null if it does not end. */
function bracketSet(text: string, from: number): { readonly source: string; readonly end: number } | null {
  let at = from + 1
  const negated = text[at] === '^'
  if (negated) at++
  let source = ''
  for (let first = true; at < text.length; first = false) {
    const char = text[at]
    if (char === ']' && !first) return { source: `[${negated ? '^' : ''}${source}]`, end: at + 1 }
    const last = text[at + 2]
    if (text[at + 1] === '-' && last !== undefined && last !== ']') {
      if (char <= last) source += `${literal(char)}-${literal(last)}`
      at += 3
    } else {
      source += literal(char)
      at++
    }
  }
  return null
}

/** `n\}`, `n,\}` or `n,m\}`. */
function repetition(text: string, from: number): { readonly source: string; readonly end: number } | { readonly error: string } {
  const found = /^(\d+)(,(\d*))?\\\}/.exec(text.slice(from))
  if (found === null) return { error: 'Bad number' }
  const least = Number(found[1])
  const most = found[2] === undefined ? least : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3])
  if (least > MAX_REPEATS || (most > MAX_REPEATS && most !== Number.POSITIVE_INFINITY))
    return { error: 'Range endpoint too large' }
  if (least > most) return { error: 'First number exceeds second in \\{ \\}' }
  const source = most === Number.POSITIVE_INFINITY ? `{${least},}` : `{${least},${most}}`
  return { source, end: from + found[0].length }
}
