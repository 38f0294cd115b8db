import type { ModuleLog, Server } from '@gatewright/api'
import { dnsMatches, isDnsName, isWildcard } from '../dns-names.ts'
import { keyProblem } from '../key-specs.ts'
import type { ProcessSettings } from '../settings.ts'
import { uriProblem } from '../url-checks.ts'
import type { DomainsOfServers } from './link.ts'
import type { ManagedDomain } from './managed-domain.ts'

/** The configuration cannot be used; the reason is in the error log. */
export class DomainsRefused extends Error {
  override readonly name = 'DomainsRefused'
}

/** What httpd checks before certificates are loaded. @throws DomainsRefused */
export function checkDomains(domains: readonly ManagedDomain[], { matchNames }: Readonly<ProcessSettings>, log: ModuleLog): void {
  const refuse = (code: string, text: string): never => {
    log.write(null, 'error', code, text)
    throw new DomainsRefused(text)
  }
  for (const [index, md] of domains.entries()) {
    const others = matchNames === 'all' ? domains.slice(0, index) : []
    for (const other of others) {
      const shared = md.domains.find((name) => other.domains.includes(name))
      if (shared !== undefined) {
        refuse(
          'AH10038',
          `two Managed Domains have an overlap in domain '${shared}', first definition in ${placeText(md)}, second in ${placeText(other)}`,
        )
      }
    }
    if (md.certificateFiles.length > 0 && md.certificateFiles.length !== md.keyFiles.length) {
      refuse('AH10170', `The Managed Domain '${md.name}' needs one MDCertificateKeyFile for each MDCertificateFile.`)
    }
    if (md.certificateFiles.length === 0 && md.keyFiles.length > 0) {
      refuse('AH10171', `The Managed Domain '${md.name}' has MDCertificateKeyFile(s) but no MDCertificateFile.`)
    }
    const problem = unusable(md)
    if (problem !== undefined) refuse('', `MDomain ${md.name}: ${problem}`)
  }
}

/** What cannot be used, although httpd accepts it or finds it out later; undefined when everything can. */
function unusable(md: ManagedDomain): string | undefined {
  // Names are folders of the store, and parts of certificates.
  const name = md.domains.find((one) => !isDnsName(one, true) && !isWildcard(one))
  if (name !== undefined) return `${name} is not a name that a certificate can have`
  if (md.protocol !== 'ACME') return `MDCertificateProtocol ${md.protocol}: the only protocol is ACME`
  const plain = md.authorities.find((url) => !/^https:/i.test(url))
  if (plain !== undefined) return `MDCertificateAuthority ${plain}: a CA must be addressed by an https: URL`
  const contact = md.contacts.find((one) => uriProblem(one) !== undefined)
  if (contact !== undefined) return `contact ${contact}: ${uriProblem(contact)}`
  for (const spec of md.keys) {
    const problem = keyProblem(spec)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** What httpd checks when it knows which servers are secured. @throws DomainsRefused */
export function checkSecuredServers(linked: DomainsOfServers, isSecured: (server: Server) => boolean, log: ModuleLog): void {
  for (const [server, assigned] of linked) {
    if (assigned.length < 2 || !isSecured(server)) continue
    const text = `conflict: ${assigned.length} MDs match to SSL VirtualHost ${server.serverName}, there can at most be one.`
    log.write(null, 'error', 'AH10042', text)
    throw new DomainsRefused(text)
  }
}

/** Adds the names of secured servers that use the domain alone, or warns of them. */
export function coverServers(
  md: ManagedDomain,
  linked: DomainsOfServers,
  isSecured: (server: Server) => boolean,
  log: ModuleLog,
): void {
  for (const server of md.servers) {
    if (!isSecured(server) || linked.get(server)?.length !== 1) continue
    for (const name of [server.serverName.toLowerCase(), ...server.aliases]) {
      if (md.domains.some((one) => dnsMatches(one, name))) continue
      if (md.transitive) {
        md.domains = [...md.domains, name]
        continue
      }
      const text = `Virtual Host ${server.serverName}:${server.serverPort} matches Managed Domain '${md.name}', but the name/alias ${name} itself is not managed. A requested MD certificate will not match ServerName.`
      log.write(server, 'warn', 'AH10040', text)
    }
  }
}

/** Warns of domains that cannot do what they are for. @returns false for one that no server uses */
export function checkUse(md: ManagedDomain, isSecured: (server: Server) => boolean, log: ModuleLog): boolean {
  if (md.requireHttps !== 'off' && !md.servers.some(isSecured)) {
    const text = `MD ${md.name} does not match any VirtualHost with 'SSLEngine on', but is configured to require https. This cannot work.`
    log.write(null, 'warn', 'AH10105', text)
  }
  if (md.servers.length > 0) return true
  if (md.renewMode !== 'always') log.write(null, 'warn', 'AH10045', `No VirtualHost matches Managed Domain ${md.name}`)
  return md.renewMode === 'always'
}

/** httpd does not remember the place of a section. */
function placeText({ place }: ManagedDomain): string {
  return `${place?.file ?? '(null)'}(line ${place?.line ?? 0})`
}
