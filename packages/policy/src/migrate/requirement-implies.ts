import { type Requirement, requirementKey } from '../site/requirement.ts'

/** Lines of which every combination is tried at most. */
const MAX_LINES = 12

/**
 * True if every request that satisfies the first formula also satisfies the second. Each line counts as an
 * independent condition, even if one network contains another: a false result may be wrong, a true one is
 * not.
 */
export function implies(first: Requirement, second: Requirement): boolean {
  if (first.kind === 'denied' || second.kind === 'granted' || requirementKey(first) === requirementKey(second)) return true
  const lines = [...new Set([...linesOf(first), ...linesOf(second)])]
  if (lines.length > MAX_LINES) return false
  for (let bits = 0; bits < 2 ** lines.length; bits++) {
    const holds = (text: string): boolean => ((bits >> lines.indexOf(text)) & 1) === 1
    if (isMet(first, holds) && !isMet(second, holds)) return false
  }
  return true
}

function isMet(requirement: Requirement, holds: (text: string) => boolean): boolean {
  switch (requirement.kind) {
    case 'granted':
      return true
    case 'denied':
      return false
    case 'line':
      return holds(requirement.text) !== requirement.negated
    case 'all':
      return requirement.children.every((child) => isMet(child, holds))
    case 'any':
      return requirement.children.some((child) => isMet(child, holds))
    case 'none':
      return !requirement.children.some((child) => isMet(child, holds))
  }
}

function linesOf(requirement: Requirement): string[] {
  if (requirement.kind === 'line') return [requirement.text]
  return 'children' in requirement ? requirement.children.flatMap(linesOf) : []
}
