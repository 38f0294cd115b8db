import type { ProxyBalancer, ProxyMember, Request } from '@gatewright/api'
import { proxyWorkerStates } from '@gatewright/api'

/** The route that a client names, and where it was found. */
export interface SessionRoute {
  readonly route: string
  /** The name of the cookie or of the parameter. */
  readonly sticky: string
}

/**
 * The route of a client's session: in the URL, otherwise in a cookie. What stands up to the separator is the name of the
 * session itself. Null if there is none.
 */
export function sessionRoute({ parameters }: ProxyBalancer, request: Request, url: string): SessionRoute | null {
  const { stickySession, stickyPath, stickySeparator, scolonPathDelimiter } = parameters
  if (stickySession === null) return null
  const inPath = pathParameter(url, stickyPath ?? stickySession, scolonPathDelimiter)
  const value = inPath ?? cookieValue(request.headersIn.get('Cookie') ?? '', stickySession)
  if (value === null) return null
  const sticky = inPath === null ? stickySession : (stickyPath ?? stickySession)
  if (stickySeparator === null) return { route: value, sticky }
  const separator = value.indexOf(stickySeparator)
  const route = separator < 0 ? '' : value.slice(separator + 1)
  return route === '' ? null : { route, sticky }
}

/** The value after `NAME=` anywhere in a URL, as httpd finds it. */
function pathParameter(url: string, name: string, semicolonEnds: boolean): string | null {
  const end = semicolonEnds ? /[;?&]/ : /[?&]/
  for (let at = url.indexOf(name); at >= 0; at = url.indexOf(name, at + 1)) {
    const start = at + name.length
    if (url[start] !== '=') continue
    const value = url
      .slice(start + 1)
      .split(end)
      .find((part) => part !== '')
    if (value !== undefined) return value
  }
  return null
}

function cookieValue(cookies: string, name: string): string | null {
  for (let at = cookies.indexOf(name); at >= 0; at = cookies.indexOf(name, at + 1)) {
    if (at > 0 && !/[;,\s]/.test(cookies[at - 1])) continue
    const found = /^\s*=([^;,]*)/.exec(cookies.slice(at + name.length))
    if (found !== null && /^\s*=./.test(cookies.slice(at + name.length))) return found[1]
  }
  return null
}

/** The member that serves a route: its own, or the one to which that redirects; hot standbys come last. */
export function memberOfRoute({ members }: ProxyBalancer, route: string): ProxyMember | null {
  return findMember(members, route, 1)
}

function findMember(members: readonly ProxyMember[], route: string, depth: number): ProxyMember | null {
  // Members that redirect to each other.
  if (depth > members.length + 1) return null
  for (const standby of [0, proxyWorkerStates.hotStandby]) {
    for (const member of members) {
      if ((member.status & proxyWorkerStates.hotStandby) !== standby || member.route === '' || member.route !== route) continue
      if (canServe(member)) return member
      if (member.redirect === '') continue
      const other = findMember(members, member.redirect, depth + 1)
      if (other !== null && canServe(other)) return other
    }
  }
  return null
}

function canServe(member: ProxyMember): boolean {
  return member.isUsable || (member.retry() && member.isUsable)
}
