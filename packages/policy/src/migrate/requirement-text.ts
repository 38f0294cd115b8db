import type { Requirement } from '../site/requirement.ts'

/** Characters that are shown at most. */
const MOST = 160

/** A formula in one line for people. */
export function requirementText(requirement: Requirement): string {
  const text = textOf(requirement)
  return text.length <= MOST ? text : `${text.slice(0, MOST)}...`
}

function textOf(requirement: Requirement): string {
  switch (requirement.kind) {
    case 'granted':
    case 'denied':
      return `Require all ${requirement.kind}`
    case 'line':
      return `Require ${requirement.negated ? 'not ' : ''}${requirement.text}`
    case 'none':
      return `none of (${requirement.children.map(textOf).join(', ')})`
    default:
      return requirement.children.map(innerText).join(requirement.kind === 'any' ? ' or ' : ' and ')
  }
}

function innerText(requirement: Requirement): string {
  return requirement.kind === 'any' || requirement.kind === 'all' ? `(${textOf(requirement)})` : textOf(requirement)
}
