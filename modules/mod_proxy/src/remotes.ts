import type { ProxyRemote } from '@gatewright/api'
import type { RemoteProxy, ServerConfig } from './config.ts'

/** The proxies to ask instead of the backend, in order. */
export function remotesFor({ remotes }: Readonly<ServerConfig>, url: string): readonly ProxyRemote[] {
  if (remotes.length === 0) return NO_REMOTES
  return remotes.filter((remote) => remote.scheme === 'http' && isFor(remote, url))
}

const NO_REMOTES: readonly ProxyRemote[] = []

function isFor({ of, pattern }: RemoteProxy, url: string): boolean {
  if (pattern !== null) return pattern.test(url)
  if (of === '*') return true
  // As in httpd, a target of CONNECT is compared by its host, the part before the colon.
  if (!of.includes(':')) return of.toLowerCase() === url.slice(0, url.indexOf(':')).toLowerCase()
  return url.slice(0, of.length).toLowerCase() === of.toLowerCase()
}
