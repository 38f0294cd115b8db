import { escapeUriPath } from '@gatewright/api/text'

/** The scheme of an absolute URL, up to the start of its authority. */
export interface SchemePart {
  readonly length: number
  /** True for schemes whose URLs may have a query. */
  readonly hasQuery: boolean
}

/** The scheme of a URL; null if the text does not begin with a scheme that httpd knows. */
export function schemeOf(text: string): SchemePart | null {
  const found = SCHEMES.exec(text)
  if (found === null) return null
  return { length: found[0].length, hasQuery: !WITHOUT_QUERY.test(found[0]) }
}

const SCHEMES =
  /^(?:ajp:\/\/|balancer:\/\/|cgi:\/\/|fcgi:\/\/|ftp:\/\/|gopher:\/\/|https?:\/\/|h2c?:\/\/|ldap:\/\/|mailto:|news:|nntp:\/\/|scgi:\/\/|unix:|uwsgi:\/\/|wss?:\/\/)/i
const WITHOUT_QUERY = /^(?:ftp|gopher|ldap|news|nntp):/i

/** Escapes the part of a URL after its host, for a Location header. */
export function escapeAbsoluteUrl(url: string, { length }: SchemePart): string {
  if (url[length - 1] !== '/') return url.slice(0, length) + escapeUriPath(url.slice(length))
  const slash = url.indexOf('/', length)
  if (slash < 0) return url
  const path = url.slice(slash + 1)
  const front = url.slice(0, slash + 1)
  // The parts of an LDAP URL are separated by question marks (RFC 4516).
  if (/^ldap/i.test(url)) return front + path.split('?').map(escapeUriPath).join('?')
  return front + escapeUriPath(path)
}

/** Host, port and path of a URL with the given scheme; null for other URLs. */
export function authorityOf(url: string, scheme: string): UrlOfServer | null {
  const prefix = `${scheme}://`
  if (url.length <= prefix.length || url.slice(0, prefix.length).toLowerCase() !== prefix) return null
  const slash = url.indexOf('/', prefix.length)
  const authority = url.slice(prefix.length, slash < 0 ? undefined : slash)
  const colon = authority.indexOf(':')
  return {
    host: colon < 0 ? authority : authority.slice(0, colon),
    port: colon < 0 ? null : Number.parseInt(authority.slice(colon + 1), 10) || 0,
    path: slash < 0 ? '/' : url.slice(slash),
  }
}

export interface UrlOfServer {
  readonly host: string
  /** null if the URL has no port. */
  readonly port: number | null
  readonly path: string
}
