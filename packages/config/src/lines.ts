/** One logical line: continuation lines joined, white space at both ends cut. */
export interface LogicalLine {
  readonly text: string
  /** Number of the last physical line it consists of, from 1: httpd reports that one. */
  readonly line: number
}

/** Longest logical line of a server file, in bytes including the end of its last physical line. */
export const MAX_SERVER_LINE: number = 16 * 1024 * 1024
export const MAX_HTACCESS_LINE = 8192

/** A line that is longer than the file's kind allows. */
export interface LineTooLong {
  readonly tooLong: true
  readonly line: number
}

/** A logical line with its place in the file's text. */
export interface ScannedLine {
  /** The physical lines joined, white space at both ends kept. */
  readonly joined: string
  /** Its size in httpd's buffer: the joined bytes and the end of the last physical line. */
  readonly length: number
  /** The bytes from `start` up to `end` are its physical lines, line ends included. */
  readonly start: number
  readonly end: number
  /** Numbers of the first and the last physical line, from 1. */
  readonly firstLine: number
  readonly line: number
}

/**
 * Splits a file at line ends that are not escaped by a backslash. Every byte of the text is in exactly one
 * line.
 */
export function* scanLines(text: string): Generator<ScannedLine> {
  for (const scanned of scanLinesInSteps(text)) if (scanned !== null) yield scanned
}

/** Number of physical lines that are joined in one step. */
const LINES_OF_A_STEP = 4096

/**
 * Like `scanLines`, for a caller that yields to others: yields null from time to time while it joins physical
 * lines.
 * @param longest maximum number of bytes to join; the rest is omitted from `joined`
 */
export function* scanLinesInSteps(text: string, longest: number = Number.POSITIVE_INFINITY): Generator<ScannedLine | null> {
  let at = 0
  let line = 0
  let nul = text.indexOf('\0')
  while (at < text.length) {
    const start = at
    const firstLine = line + 1
    let joined = ''
    let length = 0
    let continued = true
    while (continued && at < text.length) {
      line++
      const lineFeed = text.indexOf('\n', at)
      const end = lineFeed < 0 ? text.length : lineFeed
      let stop = end
      if (stop > at && text.charCodeAt(stop - 1) === 13 && lineFeed >= 0) stop--
      if (nul >= 0 && nul < at) nul = text.indexOf('\0', at)
      // A backslash joins lines only directly before the line feed; at the end of the file, and after a NUL,
      // it is kept.
      continued = lineFeed >= 0 && stop > at && text.charCodeAt(stop - 1) === 92 && !(nul >= 0 && nul < stop)
      if (joined.length <= longest) joined += text.slice(at, continued ? stop - 1 : stop)
      at = lineFeed < 0 ? text.length : lineFeed + 1
      length = joined.length + (continued ? 0 : at - stop)
      if (continued && (line - firstLine) % LINES_OF_A_STEP === LINES_OF_A_STEP - 1) yield null
    }
    yield { joined, length, start, end: at, firstLine, line }
  }
}

/**
 * Splits a file into logical lines. Empty lines and comments are omitted, but counted; a comment that ends
 * with a backslash includes the next line. A NUL byte ends the line's text.
 */
export function* logicalLines(text: string, maxLength: number = MAX_SERVER_LINE): Generator<LogicalLine | LineTooLong> {
  for (const { joined, length, line } of scanLines(text)) {
    if (length > maxLength) {
      yield { tooLong: true, line }
      continue
    }
    const meaning = lineText(joined)
    if (meaning !== '' && meaning.charCodeAt(0) !== 35) yield { text: meaning, line }
  }
}

/** The significant text of a line. */
export function lineText(joined: string): string {
  const nul = joined.indexOf('\0')
  return trimBlanks(nul < 0 ? joined : joined.slice(0, nul))
}

/** C's isspace: blank, tab, line feed, vertical tab, form feed, carriage return. */
export function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

export function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}
