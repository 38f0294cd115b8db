import { isBlank, trimBlanks } from './lines.ts'

/** A word and the rest of the line after it, without surrounding blanks. */
export interface WordAndRest {
  readonly word: string
  readonly rest: string
}

/**
 * Takes the first word of a line. Inside quotes a backslash escapes the current quote and itself, outside
 * quotes only itself; without a closing quote the word extends to the end of the line; text directly after a
 * closing quote begins a new word.
 */
export function nextWord(line: string): WordAndRest {
  let at = 0
  while (at < line.length && isBlank(line.charCodeAt(at))) at++
  if (at >= line.length) return { word: '', rest: '' }
  const quote = line[at]
  if (quote === '"' || quote === "'") {
    const start = at + 1
    let end = start
    while (end < line.length && line[end] !== quote) {
      if (line[end] === '\\' && end + 1 < line.length && (line[end + 1] === quote || line[end + 1] === '\\')) end++
      end++
    }
    return { word: unquote(line.slice(start, end), quote), rest: trimBlanks(line.slice(end + 1)) }
  }
  let end = at
  while (end < line.length && !isBlank(line.charCodeAt(end))) end++
  return { word: unquote(line.slice(at, end), ''), rest: trimBlanks(line.slice(end)) }
}

/** All words of a line. */
export function splitWords(line: string): string[] {
  const words: string[] = []
  for (let rest = trimBlanks(line); rest !== ''; ) {
    const next = nextWord(rest)
    words.push(next.word)
    rest = next.rest
  }
  return words
}

function unquote(raw: string, quote: string): string {
  if (!raw.includes('\\')) return raw
  let out = ''
  for (let at = 0; at < raw.length; at++) {
    const next = raw[at + 1]
    if (raw[at] === '\\' && next !== undefined && (next === '\\' || (quote !== '' && next === quote))) at++
    out += raw[at]
  }
  return out
}
