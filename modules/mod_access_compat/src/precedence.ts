import { type ModuleHost, mergedLater, type Request, requireTreeOf } from '@gatewright/api'
import type { HostRules } from './host-rules.ts'

/**
 * AccessCompatPrecedence. `manual`: host rules in a more specific section replace inherited host-type Require directives, as the manual
 * says of the two dialects. `httpd`: both must agree, always.
 */
export type Precedence = 'manual' | 'httpd'

export interface ServerSettings {
  precedence?: Precedence
}

/**
 * True when the decision of Order, Allow and Deny stands alone for a request. Only where the section with these rules was merged later than
 * every section that contributed to the Require tree, and the tree looks at nothing but the client's host. Never under `Satisfy Any`, which says
 * itself how the two combine, and never for a method that no Order, Allow or Deny is about.
 */
export function standsAlone(host: ModuleHost<HostRules, ServerSettings>, request: Request): boolean {
  const rules = host.configOf(request)
  if (!rules.ruled.has(request.methodNumber) || rules.satisfy[request.methodNumber] === 'any') return false
  if (host.serverConfigOf(request.server).precedence === 'httpd') return false
  const tree = host.functions.get(requireTreeOf)?.(request) ?? null
  return tree?.hostOnly === true && mergedLater(rules.section, tree.section)
}
