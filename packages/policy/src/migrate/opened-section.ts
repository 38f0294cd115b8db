import type { AccessLines } from '../site/access-lines.ts'
import { hasHostRules, hasRequire, methodsOf, requireInForce } from '../site/access-rules.ts'
import { acrossMethods } from '../site/method-classes.ts'
import { GRANTED, type Requirement } from '../site/requirement.ts'
import { implies } from './requirement-implies.ts'

/**
 * True if a formula grants access that the Require lines in force deny, and the section that would contain it
 * has no rules in the old dialect, so its lines are intentional. Lines that 2.2 had as well, such as
 * `Require valid-user`, may become an alternative to the enclosing host rules, but must not lose their
 * effect.
 * @param chain the sections up to this one
 */
export function isOpenedBy(chain: readonly AccessLines[], target: Requirement): boolean {
  const own = chain.at(-1)
  if (own === undefined || hasHostRules(own) || !hasRequire(own)) return false
  const byMethod = new Map<string, Requirement>()
  for (const method of methodsOf([own])) {
    const require = requireInForce(chain, method)
    if (require !== null && 'reason' in require) return false
    byMethod.set(method, require ?? GRANTED)
  }
  const said = acrossMethods(byMethod)
  return (target.kind === 'granted' || isOf24(said)) && !implies(target, said)
}

/** Whether a formula contains anything that 2.2 does not support. */
function isOf24(requirement: Requirement): boolean {
  switch (requirement.kind) {
    case 'line':
      return requirement.negated || !OF_22.test(requirement.text)
    case 'any':
      return requirement.children.some(isOf24)
    default:
      return true
  }
}

const OF_22 = /^(?:valid-user|user|group|dbm-group|file-owner|file-group|ldap-\S+)(?:\s|$)/i
