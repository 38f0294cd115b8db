import type { Request } from '@gatewright/api'

/** A scheme at the start of a URL. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/

/** What browsers drop, or take for a slash. */
const MISLEADING = /[\0-\x20\\\x7f]/

/**
 * Whether a redirect leads to this site: a path, or a URL of HTTP with the host of the request.
 * @param others further hosts, in lower case; `*` stands for all
 */
export function staysOnSite(request: Request, location: string, others: readonly string[]): boolean {
  if (others.includes('*')) return true
  if (MISLEADING.test(location)) return false
  if (location.startsWith('//')) return isKnownHost(request, `${request.scheme}:${location}`, others)
  if (!SCHEME.test(location)) return true
  return /^https?:\/\//i.test(location) && isKnownHost(request, location, others)
}

function isKnownHost(request: Request, url: string, others: readonly string[]): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, username, password } = new URL(url)
  if (username !== '' || password !== '') return false
  const { serverName, aliases } = request.server
  const own = [request.hostname, serverName, ...aliases].map((name) => name.toLowerCase())
  return own.includes(hostname) || others.includes(hostname)
}
