import { isAlpha, isDigit, isDigits } from './byte-classes.ts'

/** A parsed request target (RFC 9112 section 3.2). Nothing is decoded. */
export interface ParsedTarget {
  /** `authority` for CONNECT only; `asterisk` for `*`, and for OPTIONS of a target without a path. */
  readonly form: 'origin' | 'absolute' | 'authority' | 'asterisk'
  /** In lower case; '' except in the absolute form. */
  readonly scheme: string
  /**
   * As sent, an IPv6 address without its brackets; null if the target contains none (`http:///x` contains an
   * empty one).
   */
  readonly host: string | null
  /** 0 if absent; the default of the scheme if empty. */
  readonly port: number
  /** The port as sent after the host, including the colon: a rebuilt Host field repeats it. */
  readonly portText: string
  /** Begins with `/`, or is `*`, unless `error` is set. */
  readonly path: string
  /** The text between `?` and `#`; null without a `?`. */
  readonly query: string | null
  readonly fragment: string | null
  /** User name and password, null without an `@`. */
  readonly userinfo: string | null
  /** The piece that cannot be parsed, '' if the target is well formed. */
  readonly error: string
}

/**
 * Parses a request target; never throws. The method matters only for the special forms of CONNECT and
 * OPTIONS. Several slashes at the start of a path count as one, as in httpd, so that a resource does not have
 * two names.
 */
export function parseTarget(sent: string, method = ''): ParsedTarget {
  const target = withoutLeadingSlashes(sent)
  if (method === 'CONNECT') return parseAuthorityForm(target)
  const schemeEnd = endOfScheme(target)
  if (schemeEnd < 0) return fromPath(target, 0, method, 'origin', '', NO_AUTHORITY)
  const scheme = target.slice(0, schemeEnd).toLowerCase()
  if (!target.startsWith('//', schemeEnd + 1)) return fromPath(target, schemeEnd + 1, method, 'absolute', scheme, NO_AUTHORITY)
  const start = schemeEnd + 3
  const end = endOfAuthority(target, start)
  const authority = parseAuthority(target.slice(start, end))
  if (authority === null) return malformed(target, target)
  return fromPath(target, end, method, 'absolute', scheme, authority)
}

/** Of several slashes at the start of a path only one remains. Escaped slashes are not slashes. */
export function withoutLeadingSlashes(target: string): string {
  if (target.charCodeAt(1) !== SLASH || target.charCodeAt(0) !== SLASH) return target
  let at = 1
  while (target.charCodeAt(at + 1) === SLASH) at++
  return target.slice(at)
}

/** The target of a request whose line could not be read. */
export const NO_TARGET: ParsedTarget = malformed('', '')

interface Authority {
  readonly host: string | null
  readonly portText: string
  readonly userinfo: string | null
}

const NO_AUTHORITY: Authority = { host: null, portText: '', userinfo: null }
const HASH = 35
const SLASH = 47
const COLON = 58
const QUESTION = 63

function fromPath(
  target: string,
  start: number,
  method: string,
  form: 'origin' | 'absolute',
  scheme: string,
  authority: Authority,
): ParsedTarget {
  const hash = target.indexOf('#', start)
  const end = hash < 0 ? target.length : hash
  let question = target.indexOf('?', start)
  if (question > end) question = -1
  const written = target.slice(start, question < 0 ? end : question)
  const path = written !== '' ? written : method === 'OPTIONS' ? '*' : '/'
  const asterisk = path === '*' && method === 'OPTIONS'
  return {
    form: asterisk ? 'asterisk' : form,
    scheme,
    host: authority.host,
    port: portOf(authority.portText, scheme),
    portText: authority.portText,
    path,
    query: question < 0 ? null : target.slice(question + 1, end),
    fragment: hash < 0 ? null : target.slice(hash + 1),
    userinfo: authority.userinfo,
    error: asterisk || path.charCodeAt(0) === SLASH ? '' : path,
  }
}

/**
 * A colon without a number means the scheme's default port. As in httpd, a number is truncated to 16 bits.
 */
function portOf(portText: string, scheme: string): number {
  if (portText === ':') return scheme === 'https' ? 443 : scheme === 'http' ? 80 : 0
  return portText === '' ? 0 : Number(portText.slice(1)) % 65_536
}

/** The colon after `scheme` of RFC 3986 section 3.1, or -1. */
function endOfScheme(target: string): number {
  if (!isAlpha(target.charCodeAt(0))) return -1
  for (let i = 1; i < target.length; i++) {
    const code = target.charCodeAt(i)
    if (code === COLON) return i
    if (!isAlpha(code) && !isDigit(code) && !'+-.'.includes(target[i])) return -1
  }
  return -1
}

function endOfAuthority(target: string, start: number): number {
  for (let i = start; i < target.length; i++) {
    const code = target.charCodeAt(i)
    if (code === SLASH || code === QUESTION || code === HASH) return i
  }
  return target.length
}

/** `[userinfo@]host[:port]`; null if brackets are empty or unclosed, or if the port is not a number. */
function parseAuthority(text: string): Authority | null {
  const at = text.lastIndexOf('@')
  const userinfo = at < 0 ? null : text.slice(0, at)
  const hostAndPort = text.slice(at + 1)
  const bracketed = hostAndPort.startsWith('[')
  const hostStop = bracketed ? hostAndPort.indexOf(']') : 0
  if (hostStop < 0 || (bracketed && hostStop === 1)) return null
  const colon = hostAndPort.indexOf(':', hostStop)
  const hostEnd = colon < 0 ? hostAndPort.length : colon
  const portText = hostAndPort.slice(hostEnd)
  if (portText.length > 1 && !isDigits(portText.slice(1))) return null
  if (!bracketed) return { host: hostAndPort.slice(0, hostEnd), portText, userinfo }
  // If text follows the bracket before the colon, the host keeps the bracket, and every check rejects it.
  return { host: hostAndPort.slice(1, hostEnd === hostStop + 1 ? hostStop : hostStop + 1), portText, userinfo }
}

/** The target of CONNECT must contain both a host and a port. */
function parseAuthorityForm(target: string): ParsedTarget {
  const bracket = target.startsWith('[') ? target.indexOf(']') : 0
  const colon = bracket < 0 ? -1 : target.indexOf(':', bracket)
  if (colon < 0 || bracket === 1 || (bracket > 0 && colon !== bracket + 1)) return malformed(target, target)
  const port = target.slice(colon + 1)
  if (!isDigits(port)) return malformed(target, target)
  return {
    form: 'authority',
    scheme: '',
    host: bracket > 0 ? target.slice(1, bracket) : target.slice(0, colon),
    port: Number(port),
    portText: target.slice(colon),
    path: '/',
    query: null,
    fragment: null,
    userinfo: null,
    error: '',
  }
}

function malformed(target: string, error: string): ParsedTarget {
  return {
    form: 'origin',
    scheme: '',
    host: null,
    port: 0,
    portText: '',
    path: target,
    query: null,
    fragment: null,
    userinfo: null,
    error,
  }
}
