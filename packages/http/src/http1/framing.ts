import { isDigits } from '../byte-classes.ts'
import type { HeaderFields } from '../header-fields.ts'
import { logLine, type Refusal, refusal } from '../refusal.ts'

/** How the end of a request's body is found (RFC 9112 section 6). An exchange is one. */
export interface Framing {
  bodyFraming: 'none' | 'length' | 'chunked'
  /** -1 unless the framing is `length`. */
  contentLength: number
  /** Both ways were specified: chunked applies, and the connection is not reused. */
  ambiguousFraming: boolean
}

/** Determines the framing. `path` is only for the log. Never guesses: ambiguous framing is rejected. */
export function readFraming(fields: HeaderFields, path: string, into: Framing): Refusal | null {
  const length = fields.get('content-length')
  if (length !== undefined) {
    if (!isLength(length)) return refusal(400, logLine('AH10242', `client sent invalid Content-Length (${length}): ${path}`))
    into.bodyFraming = 'length'
    into.contentLength = Number(length)
  }
  const coding = fields.get('transfer-encoding')
  if (coding === undefined) return null
  if (!endsInChunked(coding)) {
    return refusal(400, logLine('AH02539', `client sent unknown Transfer-Encoding (${coding}): ${path}`))
  }
  into.bodyFraming = 'chunked'
  into.contentLength = -1
  if (length !== undefined) {
    // RFC 9112 section 6.1: remove the length and close the connection, because another recipient may have
    // read the message differently.
    fields.delete('content-length')
    into.ambiguousFraming = true
  }
  return null
}

const LARGEST = '9223372036854775807'

/**
 * Digits only, within 63 bits. Two fields that were merged with a comma fail here, even if they are equal.
 */
export function isLength(text: string): boolean {
  if (!isDigits(text)) return false
  if (text.length < LARGEST.length) return true
  const significant = text.replace(/^0+/, '')
  return significant.length < LARGEST.length || (significant.length === LARGEST.length && significant <= LARGEST)
}

/** Codings that may precede `chunked` (RFC 9112 section 7). The recipient decodes them. */
const INNER_CODINGS: readonly string[] = ['gzip', 'x-gzip', 'deflate', 'compress', 'x-compress']

/**
 * Whether `chunked` is at the end of the list and nowhere else, after known codings. httpd accepts any text
 * before the last comma, but another recipient may determine the end of the body by it. Blanks are skipped
 * before `chunked`, tabs are not.
 */
function endsInChunked(codings: string): boolean {
  const comma = codings.lastIndexOf(',')
  let start = comma + 1
  while (codings[start] === ' ') start++
  if (codings.slice(start).toLowerCase() !== 'chunked') return false
  return comma < 0 || codings.slice(0, comma).split(',').every(isInnerCoding)
}

export function isInnerCoding(text: string): boolean {
  return INNER_CODINGS.includes(text.trim().toLowerCase())
}
