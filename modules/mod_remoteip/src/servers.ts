import type { HostServices, Server } from '@gatewright/api'
import { compileNetworks, isNetworkError, type NetworkSet, parseNetwork } from '@gatewright/ipset'
import type { NamedProxy, ProxyNetwork, RemoteIpConfig } from './config.ts'
import { ProxyList } from './proxy-list.ts'

/** The compiled directives of a server, with resolved names. */
export interface ServerRules {
  readonly header: string | undefined
  readonly proxiesHeader: string | undefined
  readonly proxies: ProxyList
  readonly exceptions: NetworkSet
}

/** Compiles the rules of one server. @returns an error text if the name of a proxy has no address */
export async function compileRules(
  config: Readonly<RemoteIpConfig>,
  services: Pick<HostServices, 'addressesOf'>,
): Promise<ServerRules | string> {
  const proxies = [...config.proxies]
  for (const named of config.named) {
    const networks = await networksOf(named, services)
    if (typeof networks === 'string') return networks
    proxies.push(...networks)
  }
  const { header, proxiesHeader, exceptions } = config
  return { header, proxiesHeader, proxies: new ProxyList(proxies), exceptions: compileNetworks(exceptions) }
}

async function networksOf(
  { name, trust, directive, file, line }: NamedProxy,
  services: Pick<HostServices, 'addressesOf'>,
): Promise<readonly ProxyNetwork[] | string> {
  const addresses = await services.addressesOf(name)
  const networks: ProxyNetwork[] = []
  for (const address of addresses) {
    const network = parseNetwork(address)
    if (!isNetworkError(network)) networks.push({ network, trust })
  }
  if (networks.length > 0) return networks
  const reason = `RemoteIP: Error parsing IP ${name} (Name or service not known error) for ${directive}`
  return `AH00526: Syntax error on line ${line} of ${file}:\n${reason}`
}

/** The rules of each server, compiled before requests are served. */
export type RulesByServer = ReadonlyMap<Server, ServerRules>
