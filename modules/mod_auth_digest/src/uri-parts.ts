import { decodePercent } from '@gatewright/api/text'
/** The parts of a URI, without percent-encoding. null means absent, which differs from empty. */
export interface UriParts {
  readonly host: string | null
  /** null if there is none; the scheme's default if a colon without digits is present. */
  readonly port: number | null
  readonly path: string | null
  readonly query: string | null
}

/**
 * Splits a URI as httpd does: a URI that begins with a slash has no scheme, one that begins with two has a
 * host. The fragment is dropped.
 * @returns undefined if the host or the port is invalid
 */
export function uriParts(text: string): UriParts | undefined {
  const scheme = text.startsWith('/') ? '' : (/^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1] ?? '')
  const rest = scheme === '' ? text : text.slice(scheme.length + 1)
  if (!rest.startsWith('//')) return { host: null, port: null, ...pathAndQuery(rest) }

  const end = rest.slice(2).search(/[/?#]/)
  const authority = end < 0 ? rest.slice(2) : rest.slice(2, end + 2)
  const place = hostAndPort(authority.slice(authority.lastIndexOf('@') + 1), scheme)
  return place === undefined ? undefined : { ...place, ...pathAndQuery(end < 0 ? '' : rest.slice(end + 2)) }
}

function hostAndPort(text: string, scheme: string): Pick<UriParts, 'host' | 'port'> | undefined {
  const bracket = text.startsWith('[') ? text.indexOf(']') : 0
  if (bracket < 0) return undefined
  const colon = text.indexOf(':', bracket)
  const host = unescapeUri(text.startsWith('[') ? text.slice(1, bracket) : colon < 0 ? text : text.slice(0, colon))
  if (colon < 0) return { host, port: null }
  const digits = text.slice(colon + 1)
  if (digits === '') return { host, port: DEFAULT_PORTS.get(scheme.toLowerCase()) ?? 0 }
  return /^\d+$/.test(digits) ? { host, port: Number(digits) } : undefined
}

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http', 80],
  ['https', 443],
])

function pathAndQuery(text: string): Pick<UriParts, 'path' | 'query'> {
  const hash = text.indexOf('#')
  const whole = hash < 0 ? text : text.slice(0, hash)
  const question = whole.indexOf('?')
  const path = question < 0 ? whole : whole.slice(0, question)
  return {
    path: path === '' ? null : unescapeUri(path),
    query: question < 0 ? null : unescapeUri(whole.slice(question + 1)),
  }
}

/** Decodes percent-encoding, and keeps invalid sequences; the text ends before a decoded null byte. */
export function unescapeUri(text: string): string {
  if (!text.includes('%')) return text
  const decoded = decodePercent(text)
  const end = decoded.indexOf('\0')
  return end < 0 ? decoded : decoded.slice(0, end)
}
