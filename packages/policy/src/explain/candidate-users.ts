import type { Request } from '@gatewright/api'
import type { Stage } from '../explanation.ts'
import type { PolicyServer } from '../policy-server.ts'
import { argumentWords, linesOfSections } from '../stages/tree-node.ts'

/** A password may cost a tenth of a second to check. */
const MAX_USERS = 24

/** Users for whom the decision may differ: those in the rules, then those in the password files in force. */
export function candidateUsers(server: PolicyServer, request: Request, stages: readonly Stage[]): string[] {
  const named = linesOfSections(stages)
    .filter(({ line }) => line?.provider === 'user')
    .flatMap(argumentWords)
  const { authn } = server.configuration.providers
  const known = authn.names().flatMap((name) => authn.get(name)?.userNames?.(request) ?? [])
  return [...new Set([...named.filter((name) => known.includes(name)), ...known])].slice(0, MAX_USERS)
}
