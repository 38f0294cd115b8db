import type { ModuleHost, Request, SectionInfo } from '@gatewright/api'
import { requireTreeOf } from '@gatewright/api/peers'
import type { HostRules } from './host-rules.ts'

/**
 * AccessCompatPrecedence. `manual`: host rules of a URL section replace the Require directives about hosts in
 * the folder sections below it, as described in the manual. `httpd`: both must always grant.
 */
export type Precedence = 'manual' | 'httpd'

export interface ServerSettings {
  precedence?: Precedence
}

/**
 * Whether Order, Allow and Deny alone decide about a request: they are in a URL section of the server's
 * configuration, and the Require tree comes only from its folder sections and depends only on the client's
 * host. A .htaccess file never grants what the server's configuration denies, and rules in `<Files>` or
 * `<If>` are never overridden. False under `Satisfy Any`, which determines how the two combine, and for a
 * method to which no Order, Allow or Deny applies.
 */
export function standsAlone(host: ModuleHost<HostRules, ServerSettings>, request: Request): boolean {
  const rules = host.configOf(request)
  if (!isUrlSection(rules.section)) return false
  if (!rules.ruled.has(request.methodNumber) || rules.satisfy[request.methodNumber] === 'any') return false
  if (host.serverConfigOf(request.server).precedence === 'httpd') return false
  const tree = host.functions.get(requireTreeOf)?.(request) ?? null
  return tree?.hostOnly === true && tree.sections.every(isFolderSection)
}

/** Only the server's configuration may contain such a section. It is merged after every folder section. */
export function isUrlSection({ kind }: SectionInfo): boolean {
  return kind === 'Location' || kind === 'LocationMatch'
}

/** Only the server's configuration may contain such a section; a .htaccess file is of another kind. */
export function isFolderSection({ kind }: SectionInfo): boolean {
  return kind === 'Directory' || kind === 'DirectoryMatch'
}
