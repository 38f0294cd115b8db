import type { Fields, ForeignRequest } from '@gatewright/api'
import { type FieldNames, OWN } from './field-names.ts'

/** What is known of a question besides its fields. */
export interface Received {
  readonly headersIn: Fields
  readonly method: string
  /** As sent, without scheme and host. */
  readonly target: string
}

/** The original request, as a trusted proxy describes it. */
export type Question = Omit<ForeignRequest, 'clientAddress' | 'clientPort' | 'without' | 'observer'>

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/
/** A blank separates values of a field that was sent twice, so it is not allowed anywhere. */
const VISIBLE = /^[!-~]+$/
const ORIGINAL_URL = /^(https?):\/\/([^/?#@\\]+)(\/[^#]*)?$/i
/** These answer, or open a tunnel, without access control. */
const UNDECIDABLE: readonly string[] = ['TRACE', 'TRACK', 'CONNECT']

/** Reads the original request. @returns why it cannot be believed, as a text */
export function readQuestion({ headersIn, method, target }: Received, names: FieldNames): Question | string {
  const originalMethod = names.method === OWN ? method : fieldOf(headersIn, names.method)
  if (originalMethod === null || !TOKEN.test(originalMethod))
    return `the original method is missing or invalid (${nameOf(names.method)})`
  if (originalMethod !== 'GET' && UNDECIDABLE.includes(originalMethod.toUpperCase()))
    return `${originalMethod} has no access control`
  if (names.url !== undefined) return fromUrl(fieldOf(headersIn, names.url), originalMethod, names.url)
  const uri = names.uri === OWN ? withoutPrefix(target, names.prefix ?? '') : fieldOf(headersIn, names.uri)
  const host = fieldOf(headersIn, names.host === OWN ? 'Host' : names.host)
  const scheme = schemeOf(fieldOf(headersIn, names.proto))
  if (uri === null || !uri.startsWith('/') || uri.includes('#'))
    return `the original URI is missing or invalid (${nameOf(names.uri)})`
  if (host === null || host.includes(',')) return `the original host is missing or invalid (${nameOf(names.host)})`
  if (scheme === null) return `the original scheme is missing or invalid (${nameOf(names.proto)})`
  return { method: originalMethod, target: uri, host, scheme }
}

function fromUrl(url: string | null, method: string, name: string): Question | string {
  const [, proto, host, target = '/'] = ORIGINAL_URL.exec(url ?? '') ?? []
  const scheme = schemeOf(proto ?? null)
  if (scheme === null || host === undefined || host.includes(',')) return `the original URL is missing or invalid (${name})`
  return { method, target, host, scheme }
}

function schemeOf(text: string | null): 'http' | 'https' | null {
  const scheme = text?.toLowerCase()
  return scheme === 'http' || scheme === 'https' ? scheme : null
}

function fieldOf(fields: Fields, name: string | undefined): string | null {
  const value = name === undefined ? undefined : fields.get(name)
  return value !== undefined && VISIBLE.test(value) ? value : null
}

function withoutPrefix(target: string, prefix: string): string | null {
  return VISIBLE.test(target) && target.startsWith(`${prefix}/`) ? target.slice(prefix.length) : null
}

function nameOf(name: string | undefined): string {
  return name === undefined || name === OWN ? 'of the question itself' : name
}

/**
 * Whether servers read a target differently: it contains an encoded slash, a backslash, a zero byte, a segment of dots, an empty
 * segment, or a semicolon, also twice encoded.
 */
export function isAmbiguous(target: string): boolean {
  const query = target.indexOf('?')
  const path = query < 0 ? target : target.slice(0, query)
  // Most paths have none of these.
  if (!/[%\\;]|\/[/.]/.test(path)) return false
  let decoded = path.toLowerCase()
  // What is encoded twice is decoded twice somewhere.
  for (let round = 0; round < 3 && decoded.includes('%25'); round++) decoded = decoded.replaceAll('%25', '%')
  if (/%(?![\da-f]{2})/.test(decoded) || /%(?:2f|5c|00|3b)|[\\;]/.test(decoded)) return true
  return /\/(?:\/|\.\.?(?:\/|$))/.test(decoded.replaceAll('%2e', '.'))
}
