import type { Network } from '@gatewright/ipset'

/** Whether a proxy may report any client address, or only public ones. */
export type Trust = 'internal' | 'trusted'

/** One network of proxies. */
export interface ProxyNetwork {
  readonly network: Network
  readonly trust: Trust
}

/** A proxy given by name. Its addresses are looked up when the server starts. */
export interface NamedProxy {
  readonly name: string
  readonly trust: Trust
  readonly directive: string
  readonly file: string
  readonly line: number
}

/** Configuration of one server. The proxies of a virtual host are added to those of the main server. */
export interface RemoteIpConfig {
  header?: string
  proxiesHeader?: string
  readonly proxies: ProxyNetwork[]
  readonly named: NamedProxy[]
  /** RemoteIPProxyProtocol of this server. It is not inherited, because it applies to addresses. */
  proxyProtocol?: boolean
  readonly exceptions: Network[]
}

export function createConfig(): RemoteIpConfig {
  return { proxies: [], named: [], exceptions: [] }
}

export function mergeConfigs(base: Readonly<RemoteIpConfig>, over: Readonly<RemoteIpConfig>): RemoteIpConfig {
  return {
    header: over.header ?? base.header,
    proxiesHeader: over.proxiesHeader ?? base.proxiesHeader,
    proxies: [...base.proxies, ...over.proxies],
    named: [...base.named, ...over.named],
    proxyProtocol: over.proxyProtocol,
    exceptions: over.exceptions.length > 0 ? over.exceptions : base.exceptions,
  }
}
