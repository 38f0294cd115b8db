import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { ServerRecord } from '../model/server-record.ts'
import type { NameService } from '../services/names/index.ts'

/**
 * Names the virtual hosts without ServerName: after the main server if one of their addresses is `*`, else
 * after the name of their first address. The port is that of their own addresses; the scheme is http,
 * regardless of the main ServerName.
 */
export async function nameVirtualHosts(configuration: ServerConfiguration, names: NameService): Promise<void> {
  const { main, virtualHosts } = configuration
  const nameless = virtualHosts.filter(({ core }) => core.serverName === undefined)
  const wanted = new Set(
    nameless.flatMap((host) => (isAnyHost(host) ? [] : host.addresses.slice(0, 1).map(({ address }) => address))),
  )
  const known = new Map<string, string | null>()
  await Promise.all(Array.from(wanted, async (address) => known.set(address, await names.nameOf(address))))
  for (const host of nameless) host.core.serverName = { name: nameOf(host), port: host.standardPort, scheme: 'http' }

  function nameOf(host: ServerRecord): string {
    const [first] = host.addresses
    if (first === undefined) return 'bogus_host_without_forward_dns'
    if (isAnyHost(host)) return main.serverName
    const name = known.get(first.address) ?? null
    if (name !== null) return name
    const text = `Failed to resolve server name for ${first.address} (check DNS) -- or specify an explicit ServerName`
    configuration.report('core', 'error', 'AH00549', text)
    return 'bogus_host_without_reverse_dns'
  }
}

function isAnyHost({ addresses }: ServerRecord): boolean {
  return addresses.some(({ address }) => address === '*')
}
