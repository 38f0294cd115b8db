import { type AddressHosts, hostForName, hostForPath, isMatched } from './virtual-hosts.ts'

/**
 * Why a server answers a request, for explanations.
 * @param hostname as the request names it, in lower case; null if it names none
 */
export function whyServer(hosts: AddressHosts, hostname: string | null, uri: string): string {
  const { named, first } = hosts
  if (named.length === 0) return 'no <VirtualHost> has this address and port'
  const count = named.length === 1 ? 'the only one' : `the first of ${named.length}`
  if (hostname === null) {
    const byPath = hostForPath(hosts, uri)
    return byPath === undefined
      ? `${count} at this address and port, and the request names no host`
      : `the path is below its ServerPath, and the request names no host`
  }
  const found = hostForName(hosts, hostname)
  if (found === undefined) return `${count} at this address and port, and none is called ${hostname}`
  const { serverName, serverAliases, wildAliases } = found.core
  if (serverName?.name.toLowerCase() === hostname) return `its ServerName is ${hostname}`
  if (serverAliases.includes(hostname)) return `a ServerAlias is ${hostname}`
  const wild = wildAliases.find((alias) => isMatched(alias, hostname))
  if (wild !== undefined) return `its ServerAlias ${wild} matches ${hostname}`
  return found === first
    ? `${hostname} is in its <VirtualHost> line, as the first of ${named.length}`
    : `${hostname} is in its <VirtualHost> line`
}
