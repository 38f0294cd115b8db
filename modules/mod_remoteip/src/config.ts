import type { Network } from '@gatewright/ipset'

/** A proxy is believed about any client, or about those of the Internet only. */
export type Trust = 'internal' | 'trusted'

/** One network of proxies. */
export interface ProxyNetwork {
  readonly network: Network
  readonly trust: Trust
}

/** A proxy that is named: its addresses are asked for when the server starts. */
export interface NamedProxy {
  readonly name: string
  readonly trust: Trust
  readonly directive: string
  readonly file: string
  readonly line: number
}

/** What one server says; a virtual host's proxies are added to the main server's. */
export interface RemoteIpConfig {
  header?: string
  proxiesHeader?: string
  readonly proxies: ProxyNetwork[]
  readonly named: NamedProxy[]
  /** RemoteIPProxyProtocol of this very server: it is not inherited, as it belongs to addresses. */
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
