/** One line for the error log, in httpd's wording. */
export interface RefusalLog {
  /** The module of httpd that would log it: `core` for request lines and headers, `http` for bodies. */
  readonly module: 'core' | 'http'
  readonly level: 'debug' | 'info'
  /** `(22)Invalid argument`, which httpd writes before the code; '' for most lines. */
  readonly errno: string
  /** `AH00565`, or '' for the few lines without a number. */
  readonly code: string
  /** The text after the code; latin1, not escaped. */
  readonly text: string
  /** httpd often logs a general line after the specific one. */
  readonly next: RefusalLog | null
}

/**
 * Why a message cannot be served, with httpd's status and texts. The connection closes after the response.
 */
export interface Refusal {
  readonly status: number
  /** The `error-notes` text of httpd's error page, '' if it has none. */
  readonly note: string
  readonly log: RefusalLog | null
  /**
   * The connection is closed without a response: a first request whose request line never ends is logged as
   * 408 and not answered. Anything sent through the exchange is dropped.
   */
  readonly silent: boolean
}

export function refusal(status: number, log: RefusalLog | null, note = ''): Refusal {
  return { status, note, log, silent: false }
}

export function logLine(code: string, text: string, next: RefusalLog | null = null): RefusalLog {
  return { module: 'core', level: 'debug', errno: '', code, text, next }
}

export function infoLine(code: string, text: string, next: RefusalLog | null = null): RefusalLog {
  return { module: 'core', level: 'info', errno: '', code, text, next }
}

/** A line of mod_http's input filter, which logs at info. */
export function bodyLine(code: string, text: string, errno = ''): RefusalLog {
  return { module: 'http', level: 'info', errno, code, text, next: null }
}

/** httpd's log line about a header line that it could not parse. */
export function unreadableLine(errno: string, line: string, next: RefusalLog | null = null): RefusalLog {
  return { module: 'core', level: 'debug', errno, code: '', text: `Failed to read request header line ${line}`, next }
}

export const INVALID = '(22)Invalid argument'
export const NO_SPACE = '(28)No space left on device'
export const END_OF_FILE = '(70014)End of file found'
export const UNSPECIFIC = '(20014)Internal error (specific information not available)'

/** The longest part of a client's text that httpd repeats in such a line. */
export const LOGGED_TEXT_MAX = 80

/** In its log, httpd names a field or target by the text before the first colon. */
export function nameForLog(text: string): string {
  const colon = text.indexOf(':')
  return text.slice(0, colon < 0 || colon > LOGGED_TEXT_MAX ? LOGGED_TEXT_MAX : colon)
}
