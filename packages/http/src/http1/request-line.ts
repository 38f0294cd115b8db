import { isDigit, isSpace, SPACE, TOKEN, VISIBLE } from '../byte-classes.ts'
import { HTTP_0_9, HTTP_1_1 } from '../http-version.ts'
import { logLine, nameForLog, type Refusal, refusal } from '../refusal.ts'
import type { ConnectionSettings } from '../settings.ts'

/** The content of a request line. An exchange is one. */
export interface RequestLine {
  /** With single blanks between its parts, as rebuilt by httpd for `%r`. */
  requestLine: string
  method: string
  target: string
  /** As sent; `HTTP/0.9` for a simple request. */
  protocol: string
  /** 1000 times the major number plus the minor one; 9 for a simple request and for an invalid version. */
  version: number
}

/** Recognised by comparison, so that their text is not sliced. */
const COMMON_METHODS: readonly string[] = ['GET', 'POST', 'HEAD']

const PROTOCOL_1_1 = 'HTTP/1.1'
const PROTOCOL_0_9 = 'HTTP/0.9'

/**
 * Splits and validates a request line (RFC 9112 section 3) like httpd with HttpProtocolOptions Strict or
 * Unsafe. `line` contains neither line end nor NUL. Sets `into` even if it rejects the line, because the
 * access log shows the parts that could be read.
 */
export function readRequestLine(line: string, settings: ConnectionSettings, into: RequestLine): Refusal | null {
  const fault = split(line, settings.strict, into)
  const versionFault = readVersion(settings, into)
  const reason = fault ?? versionFault
  return reason === null ? null : refusal(400, reason)
}

type Fault = ReturnType<typeof logLine> | null

/** Parses the usual form in one pass; other forms take the slow path. */
function split(line: string, strict: boolean, into: RequestLine): Fault {
  const method = commonMethod(line)
  const methodEnd = method.length
  if (methodEnd > 0) {
    let i = methodEnd + 1
    while (i < line.length && VISIBLE[line.charCodeAt(i)] === 1) i++
    if (i > methodEnd + 1 && line.length === i + 9 && line.charCodeAt(i) === SPACE && line.endsWith(PROTOCOL_1_1)) {
      into.requestLine = line
      into.method = method
      into.target = line.slice(methodEnd + 1, i)
      into.protocol = PROTOCOL_1_1
      return null
    }
  }
  return splitSlowly(line, strict, into)
}

function commonMethod(line: string): string {
  for (let i = 0; i < COMMON_METHODS.length; i++) {
    const method = COMMON_METHODS[i]
    if (line.startsWith(method) && line.charCodeAt(method.length) === SPACE) return method
  }
  return ''
}

function splitSlowly(line: string, strict: boolean, into: RequestLine): Fault {
  const methodStart = skipSpace(line, 0)
  let fault: Fault = methodStart > 0 ? invalidWhitespace() : null

  let methodEnd = skipClass(line, methodStart, strict ? TOKEN : VISIBLE)
  if (methodEnd === methodStart || !atSpaceOrEnd(line, methodEnd)) {
    methodEnd = nextSpace(line, methodEnd)
    if (fault === null) {
      fault = badMethod(line.slice(methodStart, methodEnd))
      if (methodEnd === line.length) return onlyMethod(line, into, fault)
    }
  }
  const targetStart = skipSpace(line, methodEnd)
  fault ??= judgeGap(line, methodEnd, targetStart, strict)

  let targetEnd = skipClass(line, targetStart, VISIBLE)
  if (targetEnd === targetStart || !atSpaceOrEnd(line, targetEnd)) {
    targetEnd = nextSpace(line, targetEnd)
    fault = badTarget(line.slice(targetStart, targetEnd))
  }
  const protocolStart = skipSpace(line, targetEnd)
  fault ??= judgeGap(line, targetEnd, protocolStart, strict)
  const protocolEnd = skipClass(line, protocolStart, VISIBLE)

  into.method = line.slice(methodStart, methodEnd)
  into.target = line.slice(targetStart, targetEnd)
  into.protocol = line.slice(protocolStart, protocolEnd)
  into.requestLine = joinParts(into)
  return judgeTrailer(line, protocolEnd, strict, into.protocol, fault)
}

function onlyMethod(method: string, into: RequestLine, fault: Fault): Fault {
  into.requestLine = method
  into.method = method
  into.target = ''
  into.protocol = ''
  return fault
}

/** Validates the text after the version: none in strict mode, otherwise at most blanks. */
function judgeTrailer(line: string, protocolEnd: number, strict: boolean, protocol: string, fault: Fault): Fault {
  if (protocolEnd === line.length) return fault
  if (!isSpace(line.charCodeAt(protocolEnd))) return badProtocol(protocol)
  if (strict) return excessWhitespace()
  let i = protocolEnd
  for (; i < line.length && isSpace(line.charCodeAt(i)); i++) {
    if (line.charCodeAt(i) !== SPACE) return fault ?? invalidWhitespace()
  }
  return i === line.length ? fault : (fault ?? trailingText(line.slice(i)))
}

/**
 * `HTTP/` digit `.` digit, with a major number other than 0. Without a version it is a simple request of
 * HTTP/0.9.
 */
function readVersion(settings: ConnectionSettings, into: RequestLine): Fault {
  const protocol = into.protocol
  if (protocol === PROTOCOL_1_1) {
    into.version = HTTP_1_1
    return null
  }
  if (protocol === '') {
    into.protocol = PROTOCOL_0_9
    into.version = HTTP_0_9
    if (!settings.allowHttp09) return logLine('AH02401', 'HTTP Request Line; Rejected HTTP/0.9 request')
    return settings.strict && into.method !== 'GET' ? badSimpleMethod(into.method) : null
  }
  const major = protocol.charCodeAt(5)
  const minor = protocol.charCodeAt(7)
  const shaped = protocol.length === 8 && protocol[4] === '/' && protocol[6] === '.' && isDigit(major) && isDigit(minor)
  if (!shaped || major === 48 || protocol.slice(0, 4).toUpperCase() !== 'HTTP') {
    into.version = HTTP_0_9
    return badProtocol(protocol)
  }
  into.version = (major - 48) * 1000 + (minor - 48)
  if (protocol.startsWith('HTTP')) return null
  if (settings.strict) return badProtocol(protocol)
  into.protocol = `HTTP${protocol.slice(4)}`
  return null
}

function judgeGap(line: string, start: number, end: number, strict: boolean): Fault {
  if (strict && end > start + 1) return excessWhitespace()
  for (let i = start; i < end; i++) {
    if (line.charCodeAt(i) !== SPACE) return invalidWhitespace()
  }
  return null
}

function joinParts(line: RequestLine): string {
  const withTarget = line.target === '' ? line.method : `${line.method} ${line.target}`
  return line.protocol === '' ? withTarget : `${withTarget} ${line.protocol}`
}

function skipSpace(line: string, from: number): number {
  let i = from
  while (i < line.length && isSpace(line.charCodeAt(i))) i++
  return i
}

function nextSpace(line: string, from: number): number {
  let i = from
  while (i < line.length && !isSpace(line.charCodeAt(i))) i++
  return i
}

function skipClass(line: string, from: number, members: Uint8Array): number {
  let i = from
  while (i < line.length && members[line.charCodeAt(i)] === 1) i++
  return i
}

function atSpaceOrEnd(line: string, at: number): boolean {
  return at === line.length || isSpace(line.charCodeAt(at))
}

const badMethod = (method: string): Fault =>
  logLine('AH03445', `HTTP Request Line; Invalid method token: '${nameForLog(method)}'`)
const badSimpleMethod = (method: string): Fault =>
  logLine(
    'AH03444',
    `HTTP Request Line; Invalid method token: '${nameForLog(method)}' (only GET is allowed for HTTP/0.9 requests)`,
  )
const badTarget = (target: string): Fault =>
  logLine('AH03454', `HTTP Request Line; URI incorrectly encoded: '${nameForLog(target)}'`)
const badProtocol = (protocol: string): Fault =>
  logLine('AH02418', `HTTP Request Line; Unrecognized protocol '${nameForLog(protocol)}' (perhaps whitespace was injected?)`)
const trailingText = (text: string): Fault =>
  logLine('AH03449', `HTTP Request Line; Extraneous text found '${nameForLog(text)}' (perhaps whitespace was injected?)`)
const invalidWhitespace = (): Fault => logLine('AH03447', 'HTTP Request Line; Invalid whitespace')
const excessWhitespace = (): Fault =>
  logLine('AH03448', 'HTTP Request Line; Excess whitespace (disallowed by HttpProtocolOptions Strict)')
