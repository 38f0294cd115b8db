import type { ProxyPassing } from '@gatewright/api'
import type { UpstreamTarget } from './pool-options.ts'

/** Host and port of a URL, without brackets and in the case of the URL; the standard port if it has none. */
export interface HostAndPort {
  readonly host: string
  readonly port: number
}

/** `://[ADDRESS]:PORT`: hosts that begin with a bracket. */
const BRACKETED = /^[^:]+:\/\/\[([^\]]*)\](?::(\d+))?/
const SLASH = 47
const COLON = 58
const QUESTION_MARK = 63
const ZERO = 48

/** The host that the URL of a request names. The worker may be that of a pattern, which names none. */
export function hostAndPort({ url, worker }: Pick<ProxyPassing, 'url' | 'worker'>, standardPort: number): HostAndPort {
  const start = startOfHost(url)
  if (start < 0) return { host: worker.hostname, port: worker.port === 0 ? standardPort : worker.port }
  const bracketed = url[start] === '[' ? BRACKETED.exec(url) : null
  if (bracketed !== null) return { host: bracketed[1], port: bracketed[2] === undefined ? standardPort : Number(bracketed[2]) }
  const end = endOfHost(url, start)
  return { host: url.slice(start, end), port: portAt(url, end) ?? standardPort }
}

/** What follows the scheme and `://`; -1 for a URL without them. */
function startOfHost(url: string): number {
  const colon = url.indexOf(':')
  return colon < 1 || !url.startsWith('//', colon + 1) ? -1 : colon + 3
}

function endOfHost(url: string, start: number): number {
  let end = start
  while (end < url.length && !endsHost(url.charCodeAt(end))) end++
  return end
}

function endsHost(code: number): boolean {
  return code === SLASH || code === COLON || code === QUESTION_MARK
}

/** The digits after a colon; undefined without any. */
function portAt(url: string, at: number): number | undefined {
  if (url.charCodeAt(at) !== COLON) return undefined
  let port: number | undefined
  for (let i = at + 1; i < url.length; i++) {
    const digit = url.charCodeAt(i) - ZERO
    if (digit < 0 || digit > 9) break
    port = (port ?? 0) * 10 + digit
  }
  return port
}

/** The name in the URL of a request, or that of the remote proxy which gets it: for messages. */
export function hostOf({ url, worker, remote }: Pick<ProxyPassing, 'url' | 'worker' | 'remote'>): string {
  if (remote !== null) return remote.hostname
  if (worker.socketPath !== null) return worker.hostname
  const start = startOfHost(url)
  if (start < 0) return worker.hostname
  const bracketed = url[start] === '[' ? BRACKETED.exec(url) : null
  return bracketed !== null ? bracketed[1] : url.slice(start, endOfHost(url, start))
}

/** Where to connect to: another proxy, the socket of the worker, or the host of the URL. */
export function targetOf(passing: ProxyPassing, standardPort: number): UpstreamTarget {
  const { worker, remote, settings } = passing
  if (remote !== null) return withSource({ host: remote.hostname, port: remote.port }, settings.sourceAddress)
  if (worker.socketPath !== null) return { path: worker.socketPath }
  return withSource(hostAndPort(passing, standardPort), settings.sourceAddress)
}

function withSource(target: HostAndPort, localAddress: string | null): UpstreamTarget {
  return localAddress === null ? target : { ...target, localAddress }
}
