import type { LogItemSubject } from '@gatewright/api'

/** One `%` item of a format. */
export interface ItemSpec {
  /** One character, or `^` and two. */
  readonly letter: string
  /** The text in braces; '' without braces. */
  readonly argument: string
  /** The request selected by `<` or `>`; null for the item's default. */
  readonly subject: LogItemSubject | null
  /** Statuses of the final request for which the item is written (with `!`: not written); empty for all. */
  readonly statuses: readonly number[]
  readonly negated: boolean
}

/** Literal text, or an item. */
export type FormatPart = string | ItemSpec

/**
 * Parses a LogFormat: `%`, then any mix of `!`, `<`, `>`, status numbers, commas and `{argument}`, then the
 * letter. In the text between items, `\n`, `\t`, `\r` and `\\` are translated, and other backslashes are
 * copied.
 * @param isKnown whether an item with this letter may be used
 */
export function parseFormat(
  format: string,
  isKnown: (letter: string) => boolean,
): readonly FormatPart[] | { readonly error: string } {
  const parts: FormatPart[] = []
  let at = 0
  while (at < format.length) {
    if (format[at] !== '%') {
      const end = format.indexOf('%', at)
      const text = format.slice(at, end < 0 ? undefined : end)
      parts.push(translateEscapes(text))
      at += text.length
    } else if (format[at + 1] === '%') {
      parts.push('%')
      at += 2
    } else {
      const item = readItem(format, at + 1, isKnown)
      if ('error' in item) return item
      parts.push(item.spec)
      at = item.end
    }
  }
  return parts
}

function readItem(
  format: string,
  start: number,
  isKnown: (letter: string) => boolean,
): { readonly spec: ItemSpec; readonly end: number } | { readonly error: string } {
  let argument = ''
  let subject: LogItemSubject | null = null
  let negated = false
  const statuses: number[] = []
  let at = start
  while (at < format.length) {
    const character = format[at]
    if (character === '!') {
      negated = !negated
    } else if (character === '<') {
      subject = 'original'
    } else if (character === '>') {
      subject = 'final'
    } else if (character === '{') {
      const end = format.indexOf('}', at)
      argument = format.slice(at + 1, end < 0 ? undefined : end)
      at = end < 0 ? format.length : end
      // Consecutive closing braces count as one.
      while (format[at + 1] === '}') at++
    } else if (character >= '0' && character <= '9') {
      const digits = /^\d+/.exec(format.slice(at))?.[0] ?? ''
      statuses.push(Number(digits))
      at += digits.length - 1
    } else if (character !== ',') {
      const letter = letterAt(format, at, isKnown)
      if (letter === undefined) return { error: `Unrecognized LogFormat directive %${character}` }
      return { spec: { letter, argument, subject, statuses, negated }, end: at + letter.length }
    }
    at++
  }
  return { error: 'Ran off end of LogFormat parsing args to some directive' }
}

function letterAt(format: string, at: number, isKnown: (letter: string) => boolean): string | undefined {
  const three = format.slice(at, at + 3)
  if (three.length === 3 && three.startsWith('^') && isKnown(three)) return three
  return isKnown(format[at]) ? format[at] : undefined
}

function translateEscapes(text: string): string {
  return text.replace(/\\([\\ntr])/g, (_whole, character: string) => ESCAPES[character] ?? character)
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', t: '\t', r: '\r' }

const common = parseFormat('%h %l %u %t "%r" %s %b', () => true)

/** The Common Log Format: the default format of TransferLog, and of the predefined nickname `CLF`. */
export const CLF: readonly FormatPart[] = 'error' in common ? [] : common
