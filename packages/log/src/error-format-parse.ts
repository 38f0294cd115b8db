import type { FormatItem } from './error-format-items.ts'

/**
 * Parses a format of `ErrorLogFormat`.
 * @returns httpd's message if it is invalid
 */
export function parseErrorFormat(format: string): FormatItem[] | string {
  const items: FormatItem[] = []
  let at = 0
  while (at < format.length) {
    let startsField = false
    // `% ` begins a field without writing anything.
    while (format.startsWith('% ', at)) {
      startsField = true
      at += 2
    }
    if (at >= format.length) break
    if (format.startsWith('%%', at)) {
      items.push(literal('%', startsField))
      at += 2
    } else if (format[at] === '%') {
      const read = readDirective(format, at + 1, startsField)
      if (typeof read === 'string') return read
      items.push(read.item)
      at = read.end
    } else {
      const read = readText(format, at)
      items.push(literal(read.text, startsField || format[at] === ' '))
      at = read.end
    }
  }
  return items
}

function literal(text: string, startsField: boolean): FormatItem {
  return { startsField, letter: '', argument: text, required: false, hyphen: false, minLevel: 0 }
}

/** Parses modifiers and letter after a percent sign, with the modifiers in any order. */
function readDirective(format: string, start: number, startsField: boolean): { item: FormatItem; end: number } | string {
  let argument = ''
  let required = false
  let hyphen = false
  let minLevel = 0
  let at = start
  while (at < format.length) {
    const character = format.charAt(at)
    if (character === '{') {
      const close = format.indexOf('}', at)
      if (close === -1) break
      argument = format.slice(at + 1, close)
      at = close + 1
    } else if (character === '+') {
      required = true
      at++
    } else if (character === '-') {
      hyphen = true
      at++
    } else if (character >= '0' && character <= '9') {
      const digits = /^\d+/.exec(format.slice(at))?.[0] ?? ''
      minLevel = Number(digits)
      if (minLevel > 15) return 'The specified loglevel modifier is out of range'
      at += digits.length
    } else if (LETTERS.includes(character)) {
      return { item: { startsField, letter: character, argument, required, hyphen, minLevel }, end: at + 1 }
    } else {
      return `Unrecognized error log format directive %${character}`
    }
  }
  return 'Ran off end of error log format parsing args to some directive'
}

const LETTERS = 'aAeEFiklLmMnPtTvV'

/**
 * Reads literal text up to the next item or, after its own leading blanks, up to the next blank, which begins
 * another field.
 */
function readText(format: string, start: number): { text: string; end: number } {
  let text = ''
  let leading = true
  let at = start
  while (at < format.length) {
    const character = format.charAt(at)
    if (character === '%' || (character === ' ' && !leading)) break
    if (character === '\\') {
      text += unescaped(format, at + 1)
      at += at + 1 < format.length ? 2 : 1
      continue
    }
    if (character !== ' ') leading = false
    text += character
    at++
  }
  return { text, end: at }
}

function unescaped(format: string, at: number): string {
  switch (format.charAt(at)) {
    case 'n':
      return '\n'
    case 'r':
      return '\r'
    case 't':
      return '\t'
    case '':
      return '\\'
    default:
      return format.charAt(at)
  }
}
