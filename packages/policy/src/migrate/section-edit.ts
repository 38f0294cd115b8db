import type { AccessLine, AccessLines } from '../site/access-lines.ts'
import { isHostLine, methodsOf, requireSet } from '../site/access-rules.ts'
import { guardOf, isGuardOf24 } from '../site/guard.ts'
import { acrossMethods } from '../site/method-classes.ts'
import { type Requirement, requirementKey } from '../site/requirement.ts'

/** The change of a section that makes it express a formula without the old dialect. */
export interface SectionEdit {
  readonly removed: readonly AccessLine[]
  /** The inserted text, before one of the removed lines; null for none. */
  readonly said: Requirement | null
}

/**
 * @returns null where nothing has to change, a reason where the lines are so placed that they cannot be
 * replaced by one block
 */
export function sectionEdit(access: AccessLines, target: Requirement): SectionEdit | { readonly reason: string } | null {
  const { lines } = access
  const host = lines.filter(isHostLine)
  const rest = missing(access, target)
  if (rest !== null && rest.length === 0) return host.length === 0 ? null : { removed: host, said: null }
  // Without an old line to replace, the inserted text replaces all Require lines as well.
  const added = host.length === 0 ? null : rest
  const removed = added === null ? lines : host
  if (removed.length === 0) return { reason: 'no line can be replaced' }
  const guards = new Set(lines.map(({ place }) => guardOf(place)))
  if (guards.size > 1 && ![...guards].every((guard) => guard === null || isGuardOf24(guard)))
    return { reason: 'the rules are partly inside and partly outside a guard, or in several guards' }
  return { removed, said: added === null ? target : { kind: 'any', children: added } }
}

/**
 * The additions to the Require lines of a section that make it express the formula; null if the lines must be
 * replaced.
 */
function missing(access: AccessLines, target: Requirement): readonly Requirement[] | null {
  const requires = access.lines.filter((line) => line.kind === 'require')
  if (requires.length === 0 || access.lines.some(({ kind }) => kind === 'merging')) return null
  const own = acrossMethods(new Map(methodsOf([access]).map((method) => [method, requireSet(access, method)])))
  if (requirementKey(own) === requirementKey(target)) return []
  if (target.kind !== 'any' || requires.some(({ methods }) => methods.length > 0)) return null
  const mine = requires.map(({ requirement }) => requirementKey(requirement))
  const all = new Set(target.children.map(requirementKey))
  if (!requires.every(({ requirement }) => isHarmless(requirement)) || !mine.every((key) => all.has(key))) return null
  return target.children.filter((child) => !mine.includes(requirementKey(child)))
}

/** Lines that cannot fail with an error may be evaluated in any order. */
function isHarmless(requirement: Requirement): boolean {
  return requirement.kind === 'line' && /^(?:ip|local|method|env|user|valid-user)(?:\s|$)/.test(requirement.text)
}
