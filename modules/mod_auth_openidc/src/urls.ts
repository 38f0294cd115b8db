import type { Pattern, Request } from '@gatewright/api'
import type { OpenIdServerConfig } from './config.ts'

/** Names of hosts with an optional port; nothing that could end a URL's authority. */
const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** What browsers drop, or take for a slash. */
const MISLEADING = /[\0-\x20\\\x7f-\xff]/

type Settings = Pick<OpenIdServerConfig, 'redirectUri' | 'forwardedHeaders'>

/** The origin that the client asked for, as far as OIDCXForwardedHeaders lets a proxy say so. */
export function originOf(request: Request, { forwardedHeaders }: Settings): string {
  const forwarded = forwardedHeaders?.has('forwarded') === true ? lastForwarded(request) : {}
  const field = (name: string): string | undefined =>
    forwardedHeaders?.has(name) === true ? request.headersIn.get(name)?.split(',')[0]?.trim() : undefined
  const scheme = field('x-forwarded-proto') ?? forwarded.proto ?? request.scheme
  const host = field('x-forwarded-host') ?? forwarded.host ?? request.headersIn.get('Host')
  const port = field('x-forwarded-port')
  const secured = scheme.toLowerCase() === 'https'
  const named = host !== undefined && HOST.test(host) ? host : new URL(request.absoluteUrl('/')).host
  const withPort = port !== undefined && /^\d{1,5}$/.test(port) ? `${named.replace(/:\d+$/, '')}:${port}` : named
  return new URL(`${secured ? 'https' : 'http'}://${withPort}`).origin
}

function lastForwarded(request: Request): { readonly proto?: string; readonly host?: string } {
  const [first = ''] = request.headersIn.get('Forwarded')?.split(',') ?? []
  const parts = new Map(
    first.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=', 2)
      return [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')]
    }),
  )
  return { proto: parts.get('proto'), host: parts.get('host') }
}

/** The redirect URI as the provider knows it. */
export function redirectUriOf(request: Request, settings: Settings): string {
  const { redirectUri = '' } = settings
  return redirectUri.startsWith('/') ? originOf(request, settings) + redirectUri : redirectUri
}

/** Whether a request is for the redirect URI; its query is of no account. */
export function isForRedirectUri(request: Request, { redirectUri }: Settings): boolean {
  if (redirectUri === undefined || request.main !== null) return false
  const path = redirectUri.startsWith('/') ? redirectUri : (URL.parse(redirectUri)?.pathname ?? '')
  const [asked] = request.unparsedUri.split('?', 1)
  return asked === path
}

/** The URL of the page that the client asked for, without the target's own scheme and host. */
export function pageOf(request: Request, settings: Settings): string {
  let first = request
  for (let before = first.prev; before !== null; before = first.prev) first = before
  const path = first.unparsedUri.startsWith('/') ? first.unparsedUri : first.uri
  return originOf(request, settings) + path
}

/**
 * Whether a redirect to a place that a client names stays with this site: a path, a URL with the host of the request, or one that
 * OIDCRedirectURLsAllowed admits.
 */
export function isAllowedTarget(
  request: Request,
  target: string,
  settings: Settings & Pick<OpenIdServerConfig, 'redirectsAllowed'>,
): boolean {
  if (MISLEADING.test(target)) return false
  const isPath = target.startsWith('/') && !target.startsWith('//')
  const own = originOf(request, settings)
  const url = URL.parse(target, own)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false
  const { redirectsAllowed } = settings
  if (redirectsAllowed !== undefined) return redirectsAllowed.some((pattern: Pattern) => pattern.test(isPath ? url.href : target))
  if (isPath) return true
  // A name without a scheme would be a path of the redirect URI's folder.
  return /^https?:\/\//i.test(target) && url.hostname === new URL(own).hostname
}

/** The URL with more parameters after those that it has. */
export function withParameters(url: string, parameters: Iterable<readonly [string, string]>): string {
  const full = new URL(url)
  for (const [name, value] of parameters) full.searchParams.append(name, value)
  return full.href
}
