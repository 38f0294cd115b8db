import { isIPv6 } from 'node:net'
import { isAlpha, isDigit, isDigits } from './byte-classes.ts'
import type { HeaderFields } from './header-fields.ts'
import { HTTP_1_1 } from './http-version.ts'
import { logLine, type Refusal, refusal } from './refusal.ts'
import type { ParsedTarget } from './target.ts'

/** The host that a request is for. */
export interface HostCheck {
  /**
   * In lower case, without port, brackets and trailing dot; null if neither the target nor a Host field names
   * one.
   */
  readonly hostname: string | null
  /** The port in the Host field, or else in the target; 0 if absent. */
  readonly port: number
  readonly refusal: Refusal | null
}

/**
 * Validates the Host field, or the host of the request target that overrides it (RFC 9112 section 3.2, RFC
 * 3986 section 3.2.2), as httpd does. With HttpProtocolOptions Strict, the host of an absolute target
 * replaces a Host field, as in httpd.
 * @param version that of the exchange: from 1001 on a host is required
 * @param scheme of the server: the host of an absolute target with another scheme is ignored
 */
export function checkHost(
  fields: HeaderFields,
  version: number,
  strict: boolean,
  target: ParsedTarget | null = null,
  scheme: string = 'http',
): HostCheck {
  const field = fields.get('host')
  if (target !== null && hostOverrides(target, scheme)) {
    const check = checkTargetHost(target, strict)
    if (check.refusal !== null) return check
    // A host only in the target is sufficient for every version except 1.1 itself.
    if (version === HTTP_1_1 && field === undefined) return missing(target.path)
    if (strict && field !== undefined) fields.set('Host', hostField(check.hostname ?? '', target))
    return check
  }
  const check =
    field !== undefined && field !== ''
      ? checkField(field, strict)
      : version >= HTTP_1_1
        ? missing(target === null ? '' : target.path)
        : NOT_NAMED
  // The port of a target applies even if its host does not, unless the field contains another.
  return target === null || target.port === 0 || check.port !== 0 ? check : { ...check, port: target.port }
}

/** A target with another scheme does not determine the host here. */
function hostOverrides(target: ParsedTarget, scheme: string): boolean {
  return target.host !== null && (target.scheme === scheme || target.form === 'authority')
}

/** Validates a Host field that is not empty. */
function checkField(text: string, strict: boolean): HostCheck {
  if (isDigits(text)) return checkNumber(text, strict)
  const portStart = startOfPort(text)
  const host = portStart < 0 ? text : text.slice(0, portStart)
  const port = portStart < 0 ? 0 : Number(text.slice(portStart + 1))
  if (portStart >= 0 && (port < 1 || port > 65535)) return malformed(text)
  if (host === '') return malformed(text)
  if (host.startsWith('[')) return checkAddress(host, port, text)
  return checkName(text, host, port, strict)
}

/** Validates the host of an absolute target, which has been split before; an empty one is accepted. */
function checkTargetHost(target: ParsedTarget, strict: boolean): HostCheck {
  const host = target.host ?? ''
  if (host === '') return { hostname: '', port: target.port, refusal: null }
  if (isDigits(host)) return checkNumber(host, strict, target.port)
  if (host.includes(':')) return checkAddress(`[${host}]`, target.port, host)
  return checkName(host, host, target.port, strict)
}

/** RFC 3986 section 7.4: some software interprets a bare number as an address. */
function checkNumber(text: string, strict: boolean, port = 0): HostCheck {
  if (!strict) return { hostname: text, port, refusal: null }
  return refused(logLine('AH02416', `[strict] purely numeric host names not allowed: ${text}`))
}

function checkAddress(bracketed: string, port: number, source: string): HostCheck {
  const address = bracketed.slice(1, -1)
  // A zone (`%eth0`) is only meaningful on its own machine.
  if (!bracketed.endsWith(']') || address.includes('%') || !isIPv6(address)) return malformed(source)
  return { hostname: address.toLowerCase(), port, refusal: null }
}

function checkName(source: string, host: string, port: number, strict: boolean): HostCheck {
  if (host.includes('/') || host.includes('\\') || host.includes('..')) return malformed(source)
  const lower = host.toLowerCase()
  const hostname = lower.endsWith('.') ? lower.slice(0, -1) : lower
  if (strict) {
    const fault = strictNameFault(hostname)
    if (fault >= 0) return malformed(source, hostname, fault)
  }
  return { hostname, port, refusal: null }
}

/**
 * In strict mode a name consists of letters, digits, `-`, `_` and `.`. A name with only digits and dots must
 * be four numbers without leading zeros; in any other, the last label begins with a letter.
 * @returns the offset of the fault, the length for a fault of the whole name, or -1
 */
function strictNameFault(name: string): number {
  let numeric = true
  let lastDot = -1
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (isAlpha(code) || code === HYPHEN || code === UNDERSCORE) numeric = false
    else if (code === DOT) lastDot = i
    else if (!isDigit(code)) return i
  }
  if (numeric) return isFourNumbers(name) ? -1 : name.length
  return lastDot >= 0 && !isAlpha(name.charCodeAt(lastDot + 1)) ? lastDot : -1
}

/** Accepts 300.1.1.1: the numbers are not limited. */
function isFourNumbers(name: string): boolean {
  const parts = name.split('.')
  return parts.length === 4 && parts.every((part) => part !== '' && (part === '0' || !part.startsWith('0')))
}

/** The colon before trailing digits, or -1: any other text after a colon belongs to the host. */
function startOfPort(text: string): number {
  let i = text.length - 1
  while (i >= 0 && isDigit(text.charCodeAt(i))) i--
  return i < text.length - 1 && text[i] === ':' ? i : -1
}

function hostField(hostname: string, target: ParsedTarget): string {
  return hostname.includes(':') ? `[${hostname}]${target.portText}` : hostname + target.portText
}

function malformed(source: string, hostname = '', fault = -1): HostCheck {
  const last = logLine('AH00550', `Client sent malformed Host header: ${source}`)
  if (fault < 0) return refused(last)
  const near = fault < hostname.length ? `, problem near: ${hostname.slice(fault, fault + 6)}` : ''
  return refused(logLine('AH02415', `[strict] Invalid host name '${hostname}'${near}`, last))
}

function missing(path: string): HostCheck {
  return refused(logLine('AH00569', `client sent HTTP/1.1 request without hostname (see RFC2616 section 14.23): ${path}`))
}

function refused(log: ReturnType<typeof logLine>): HostCheck {
  return { hostname: null, port: 0, refusal: refusal(400, log) }
}

const NOT_NAMED: HostCheck = { hostname: null, port: 0, refusal: null }
const HYPHEN = 45
const DOT = 46
const UNDERSCORE = 95
