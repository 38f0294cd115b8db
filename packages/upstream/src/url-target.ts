import type { ProxyPassing } from '@gatewright/api'
import type { UpstreamTarget } from './pool-options.ts'

/** Host and port of a URL, without brackets and in the case of the URL; the standard port if it has none. */
export interface HostAndPort {
  readonly host: string
  readonly port: number
}

const AUTHORITY = /^[^:]+:\/\/(?:\[([^\]]*)\]|([^/:?]*))(?::(\d+))?/

/** The host that the URL of a request names. The worker may be that of a pattern, which names none. */
export function hostAndPort({ url, worker }: Pick<ProxyPassing, 'url' | 'worker'>, standardPort: number): HostAndPort {
  const found = AUTHORITY.exec(url)
  if (found === null) return { host: worker.hostname, port: worker.port === 0 ? standardPort : worker.port }
  const [, bracketed, name, port] = found
  return { host: bracketed ?? name, port: port === undefined ? standardPort : Number(port) }
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
