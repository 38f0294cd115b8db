import { FIELD_VALUE, isSpace, TOKEN } from './byte-classes.ts'
import { LOGGED_TEXT_MAX, logLine, type RefusalLog } from './refusal.ts'

/** The positions of the parts of a field in its text. */
export interface FieldText {
  readonly nameEnd: number
  readonly valueStart: number
}

/** Parses one complete field without its line end: the slow path for folded and suspicious lines. */
export function judgeFieldText(text: string, strict: boolean): FieldText | RefusalLog {
  return strict ? judgeStrictly(text) : judgeLeniently(text)
}

export function isFieldText(judged: FieldText | RefusalLog): judged is FieldText {
  return 'nameEnd' in judged
}

/** RFC 9110 section 5: a token, a colon without white space before it, a value without control characters. */
function judgeStrictly(text: string): FieldText | RefusalLog {
  let nameEnd = 0
  while (nameEnd < text.length && TOKEN[text.charCodeAt(nameEnd)] === 1) nameEnd++
  if (nameEnd === 0 || text[nameEnd] !== ':') {
    return logLine('AH02426', `Request header field name is malformed: ${text.slice(0, LOGGED_TEXT_MAX)}`)
  }
  const valueStart = skipBlanks(text, nameEnd + 1)
  for (let i = valueStart; i < text.length; i++) {
    if (FIELD_VALUE[text.charCodeAt(i)] === 1) continue
    const value = text.slice(valueStart, valueStart + LOGGED_TEXT_MAX)
    return logLine('AH02427', `Request header value is malformed: ${value}`)
  }
  return { nameEnd, valueStart }
}

/**
 * HttpProtocolOptions Unsafe: any line with a colon, without white space in the name and line ends in the
 * value.
 */
function judgeLeniently(text: string): FieldText | RefusalLog {
  const nameEnd = text.indexOf(':')
  if (nameEnd < 0) {
    return logLine('AH00564', `Request header field is missing ':' separator: ${text.slice(0, LOGGED_TEXT_MAX)}`)
  }
  if (nameEnd === 0) return logLine('AH03453', 'Request header field name was empty')
  for (let i = 0; i < nameEnd; i++) {
    if (isSpace(text.charCodeAt(i))) return logLine('AH03452', 'Request header field name presented invalid whitespace')
  }
  const valueStart = skipBlanks(text, nameEnd + 1)
  for (let i = valueStart; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code !== 32 && code !== 9 && isSpace(code)) {
      return logLine('AH03451', 'Request header field value presented bad whitespace')
    }
  }
  return { nameEnd, valueStart }
}

function skipBlanks(text: string, from: number): number {
  let i = from
  while (text[i] === ' ' || text[i] === '\t') i++
  return i
}
