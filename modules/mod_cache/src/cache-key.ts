import type { Request, Server } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import { pathOf, portOfScheme } from './cache-url.ts'
import type { CacheServerConfig } from './config.ts'

/**
 * What identifies the responses for a URL: scheme, host, port, path and query, and the virtual host that serves it, so that
 * a host reached by another address never shares them. CacheKeyBaseURL replaces both the host and the virtual host.
 * @param path `sent` for the path with its escapes, before it was decoded
 */
export function keyOf(request: Request, config: Readonly<CacheServerConfig>, path: 'sent' | 'decoded'): string {
  const { target, server } = request
  const { keyBase, sessionIdentifiers = [], ignoresQueryString = false } = config
  const isUrl = target !== null && target.form === 'absolute'
  const scheme = isUrl ? target.scheme : (keyBase?.scheme ?? request.scheme)
  const host = isUrl ? (target.host ?? '') : (keyBase?.host ?? request.serverName())
  const port = isUrl
    ? target.port || portOfScheme(scheme)
    : (keyBase?.port ?? (keyBase?.host == null ? request.serverPort() : portOfScheme(scheme)))
  const whole = pathOf(request)
  const { cutPath, query } = withoutSession(whole, ignoresQueryString ? '' : (request.args ?? ''), sessionIdentifiers)
  const escaped = path === 'decoded' ? escapeUriPath(cutPath) : cutPath
  const owner = keyBase?.host != null ? '' : identityOf(server)
  return `${owner}\n${scheme}://${host.toLowerCase()}:${port}${escaped}?${query}`
}

/** What distinguishes a virtual host from others. */
function identityOf({ serverName, serverPort, addresses }: Server): string {
  return `${serverName}:${serverPort} ${addresses.map(({ address, port }) => `${address}:${port}`).join(' ')}`
}

/** Removes `;NAME=...` from the end of the path, and `NAME=...` from the query. */
function withoutSession(
  path: string,
  query: string,
  identifiers: readonly string[],
): { readonly cutPath: string; readonly query: string } {
  let cutPath = path
  let rest = query
  for (const identifier of identifiers) {
    const last = cutPath.lastIndexOf(';')
    if (last >= 0 && cutPath.startsWith(`${identifier}=`, last + 1) && !cutPath.includes('/', last))
      cutPath = cutPath.slice(0, last)
    rest = rest
      .split('&')
      .filter((pair) => !pair.startsWith(`${identifier}=`))
      .join('&')
  }
  return { cutPath, query: rest }
}
