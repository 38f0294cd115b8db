import type { Request } from '@gatewright/api'

/** A URL of a backend in its parts. */
export interface ProxyUrl {
  /** In lower case. */
  readonly scheme: string
  /** In lower case, an IPv6 address without brackets; null if the URL names none. */
  readonly hostname: string | null
  /** As written, without the colon; '' for none. */
  readonly port: string
  /** User and password with their `@`, as written; '' for none. */
  readonly user: string
  /** Path, query and fragment as written. */
  readonly rest: string
}

/** Splits a URL; 'malformed' if it cannot be parsed, 'relative' without a scheme. */
export function splitProxyUrl(url: string): ProxyUrl | 'malformed' | 'relative' {
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?(.*)$/s.exec(url)
  if (found === null) return 'relative'
  const [, scheme, authority, rest] = found
  if (authority === undefined) return { scheme: scheme.toLowerCase(), hostname: null, port: '', user: '', rest }
  const user = authority.slice(0, authority.lastIndexOf('@') + 1)
  const host = authority.slice(user.length)
  const parts = host.startsWith('[') ? /^\[([^\]]*)\](?::(.*))?$/.exec(host) : /^([^:]*)(?::(.*))?$/.exec(host)
  if (parts === null) return 'malformed'
  const [, hostname, port = ''] = parts
  // A pattern may insert the port.
  if (!/^\d*$/.test(port) && !port.includes('$')) return 'malformed'
  return { scheme: scheme.toLowerCase(), hostname: hostname === '' ? null : hostname.toLowerCase(), port, user, rest }
}

/** `unix:PATH|URL` of a configuration in its parts; `socketPath` is null for a URL alone. */
export interface SocketUrl {
  readonly socketPath: string | null
  readonly url: string
}

/** Splits `unix:PATH|URL`. */
export function splitSocket(text: string, serverRelative: (path: string) => string): SocketUrl {
  if (!/^unix:/i.test(text)) return { socketPath: null, url: text }
  const bar = text.indexOf('|')
  if (bar < 0) return { socketPath: null, url: text }
  return { socketPath: serverRelative(text.slice(5, bar)), url: completed(text.slice(bar + 1)) }
}

/** Splits the URL of a request. Only the configuration names sockets: a client that chooses the URL gets none. */
export function splitRequestUrl({ proxyRequest }: Request, url: string): SocketUrl {
  return proxyRequest === 'forward' ? { socketPath: null, url } : splitSocket(url, (path) => path)
}

/** `http:` behind a socket stands for a host whose name does not matter. */
function completed(url: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]*:$/.test(url) ? `${url}//localhost` : url
}

/** The host of a URL, with brackets where it is an IPv6 address. */
export function hostInUrl(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}
