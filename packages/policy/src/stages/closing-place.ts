import type { Place, SectionPart } from '../explanation.ts'
import { leaves } from './tree-node.ts'

/** The line of a section that closes it: the first Require, Deny or Allow in it. */
export function closingPlace({ require, hostRules, place }: SectionPart): Place {
  const lines = require === null ? (hostRules?.words ?? []) : leaves(require.tree)
  return lines[0]?.place ?? place
}

/** True for a section in force that by itself denies the request or requires a user. */
export function closesByItself({ require, hostRules }: SectionPart): boolean {
  const refuses = hostRules?.inForce === true && hostRules.ruled && !hostRules.allowed
  return refuses || (require?.inForce === true && (require.tree.verdict === 'denied' || require.tree.verdict === 'needs a user'))
}
