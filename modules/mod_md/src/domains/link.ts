import type { ModuleHost, Server } from '@gatewright/api'
import { servesName } from '@gatewright/api/peers'
import { dnsMatches, isWildcard } from '../dns-names.ts'
import type { MdSettings, ProcessSettings } from '../settings.ts'
import { adminOf, contactsOf, settingsOfServer } from './assemble.ts'
import type { ManagedDomain } from './managed-domain.ts'

/** Which domains each server uses. */
export type DomainsOfServers = ReadonlyMap<Server, readonly ManagedDomain[]>

/**
 * Gives each domain the servers whose names it has, as `link_md_to_servers`: by ServerName and ServerAlias, or by
 * ServerName alone; a wildcard stands for ServerName only.
 */
export function linkServers(
  host: ModuleHost<undefined, MdSettings>,
  domains: readonly ManagedDomain[],
  servers: readonly Server[],
  { matchNames, manageBaseServer }: Readonly<ProcessSettings>,
): DomainsOfServers {
  const hasName = host.functions.get(servesName)
  const linked = new Map<Server, ManagedDomain[]>()
  for (const md of domains) {
    for (const server of servers) {
      if (!server.isVirtual && !manageBaseServer) continue
      const isMatch = (name: string): boolean =>
        (matchNames === 'all' && hasName?.(server, name, server.serverPort) === true) ||
        ((matchNames === 'servernames' || isWildcard(name)) && dnsMatches(name, server.serverName))
      const found = md.domains.find(isMatch)
      if (found === undefined) continue
      const assigned = linked.get(server) ?? []
      if (assigned.length === 1 && matchNames === 'servernames') {
        const isWild = assigned[0].domains.some((name) => isWildcard(name) && dnsMatches(name, server.serverName))
        if (!isWild && isWildcard(found)) continue
        if (isWild && !isWildcard(found)) assigned.length = 0
      }
      assigned.push(md)
      linked.set(server, assigned)
      const text = `Server ${server.serverName}:${server.serverPort} matches md ${md.name} for domain ${found}, has now ${assigned.length} MDs`
      host.log.write(null, 'debug', 'AH10041', text)
      addContact(md, settingsOfServer(host, server).own.contact ?? adminOf(server))
    }
  }
  for (const [server, assigned] of linked) for (const md of assigned) md.servers.push(server)
  return linked
}

/** The contact of a server, for a domain without one of its own. */
function addContact(md: ManagedDomain, contact: string | undefined): void {
  if (md.contacts.length === 0) md.contacts = contactsOf(contact)
}
