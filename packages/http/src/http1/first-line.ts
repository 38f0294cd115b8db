import { CR, LF } from '../byte-classes.ts'
import { HTTP_0_9, HTTP_1_0 } from '../http-version.ts'
import type { Input } from '../input.ts'
import { infoLine, LOGGED_TEXT_MAX, logLine, nameForLog, type Refusal, refusal } from '../refusal.ts'
import type { ConnectionSettings } from '../settings.ts'
import { type ParsedTarget, parseTarget } from '../target.ts'
import type { Http1Request } from './request.ts'
import { readRequestLine } from './request-line.ts'

/**
 * The number of empty lines that httpd skips before a request; the next one is treated as the request line.
 */
export const EMPTY_LINES_MAX = 10

/** The result of `findLineFeed`: the line, or that it is incomplete, or that it exceeds the limit. */
export const LINE_MISSING = -1
export const LINE_TOO_LONG = -2

/**
 * The offset of the line feed that ends the first line of the input, searching from `from`; LINE_MISSING; or
 * LINE_TOO_LONG as soon as that is certain.
 */
export function findLineFeed(input: Input, from: number, limit: number): number {
  const bytes = input.bytes
  let i = from
  while (i < input.end && bytes[i] !== LF) i++
  const found = i < input.end
  const contentEnd = i > input.start && bytes[i - 1] === CR ? i - 1 : i
  if (contentEnd - input.start > limit + 1) return LINE_TOO_LONG
  return found ? i : LINE_MISSING
}

/**
 * The refusal of a request line longer than LimitRequestLine. The access log shows the part within the limit.
 */
export function refuseLongLine(input: Input, exchange: Http1Request, settings: ConnectionSettings): Refusal {
  const limit = settings.limitRequestLine
  const shown = input.bytes.toString('latin1', input.start, input.start + limit + 1)
  const text = `request failed: client's request-line exceeds LimitRequestLine (longer than ${limit})`
  unread(exchange, shown)
  return refusal(414, infoLine('AH00565', text))
}

/**
 * Takes the request line, which ends at `lineFeed`, from the input. Parses line and target into the exchange.
 */
export function takeRequestLine(
  input: Input,
  lineFeed: number,
  exchange: Http1Request,
  settings: ConnectionSettings,
): Refusal | null {
  const bare = lineFeed === input.start || input.bytes[lineFeed - 1] !== CR
  const line = input.bytes.toString('latin1', input.start, bare ? lineFeed : lineFeed - 1)
  input.skip(lineFeed + 1 - input.start)
  const nul = line.indexOf('\0')
  if (nul >= 0 || (bare && settings.strict)) {
    unread(exchange, nul >= 0 ? line : `${line}\n`.slice(0, settings.limitRequestLine + 1))
    return refusal(400, logLine('AH00566', 'request failed: malformed request line'))
  }
  const badLine = readRequestLine(line, settings, exchange)
  exchange.uri = parseTarget(exchange.target, exchange.method)
  const refused = badLine ?? judgeMethod(exchange.method, settings) ?? judgeTarget(exchange.target, exchange.uri, settings.strict)
  // An error in a line without a version most likely belongs to a later version, so it is answered with a
  // head.
  if (refused !== null && exchange.version === HTTP_0_9) takeForLater(exchange)
  return refused
}

/** Uses the first host of the address: the requested host is not known yet, and nothing more is read. */
function judgeMethod(method: string, { methods }: ConnectionSettings): Refusal | null {
  if (methods === null || methods.has(method)) return null
  const text = `HTTP Request Line; Unrecognized HTTP method: '${method.slice(0, LOGGED_TEXT_MAX)}' (disallowed by RegisteredMethods)`
  return refusal(501, logLine('AH02423', text))
}

function judgeTarget(target: string, uri: ParsedTarget, strict: boolean): Refusal | null {
  if (uri.error !== '') return unparsable(uri.error)
  if (!strict) return null
  // Not a form of RFC 9112 section 3.2. httpd treats it as a path, but other software may read a host in
  // `http:/host`.
  if (uri.form === 'absolute' && uri.host === null) return unparsable(target)
  if (uri.fragment !== null) return refusal(400, logLine('AH02421', 'HTTP Request Line; URI must not contain a fragment'))
  if (uri.userinfo !== null) {
    return refusal(400, logLine('AH02422', 'HTTP Request Line; URI must not contain a username/password'))
  }
  return null
}

function unparsable(text: string): Refusal {
  return refusal(400, logLine('AH03450', `HTTP Request Line; Unable to parse URI: '${nameForLog(text)}'`))
}

/** Records a request line that could not be parsed as text. */
function unread(exchange: Http1Request, text: string): void {
  exchange.requestLine = text.split('\0', 1)[0]
  takeForLater(exchange)
}

function takeForLater(exchange: Http1Request): void {
  exchange.protocol = 'HTTP/1.0'
  exchange.version = HTTP_1_0
}
