import type { ModuleHost, Request, SectionInfo } from '@gatewright/api'
import { requireTreeOf } from '@gatewright/api/peers'
import type { HostRules } from './host-rules.ts'

/**
 * AccessCompatPrecedence. `manual`: host rules of a URL section replace the host-type Require directives of the folder sections below it, as the
 * manual says of the two dialects. `httpd`: both must agree, always.
 */
export type Precedence = 'manual' | 'httpd'

export interface ServerSettings {
  precedence?: Precedence
}

/**
 * True when the decision of Order, Allow and Deny stands alone for a request: they come from a URL section of the server's configuration, and the
 * Require tree comes from folder sections of it alone and looks at nothing but the client's host. A .htaccess file never opens what the
 * server's configuration closes, and no ban of names (`<Files>`) or condition (`<If>`) is ever set aside. Never under `Satisfy Any`, which says itself
 * how the two combine, and never for a method that no Order, Allow or Deny is about.
 */
export function standsAlone(host: ModuleHost<HostRules, ServerSettings>, request: Request): boolean {
  const rules = host.configOf(request)
  if (!isUrlSection(rules.section)) return false
  if (!rules.ruled.has(request.methodNumber) || rules.satisfy[request.methodNumber] === 'any') return false
  if (host.serverConfigOf(request.server).precedence === 'httpd') return false
  const tree = host.functions.get(requireTreeOf)?.(request) ?? null
  return tree?.hostOnly === true && tree.sections.every(isFolderSection)
}

/** Only the server's configuration may hold one, and it is merged after every folder section. */
export function isUrlSection({ kind }: SectionInfo): boolean {
  return kind === 'Location' || kind === 'LocationMatch'
}

/** Only the server's configuration may hold one; a .htaccess file is a kind of its own. */
export function isFolderSection({ kind }: SectionInfo): boolean {
  return kind === 'Directory' || kind === 'DirectoryMatch'
}
