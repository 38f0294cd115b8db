import type { DocumentItem } from '@gatewright/config'
import type { Writing } from './writing.ts'

/**
 * The meaning of Require lines and their containers, as a formula. `written` is the item of a file that
 * expresses it: it is printed as written, including comments.
 */
export type Requirement =
  | { readonly kind: 'granted' | 'denied'; readonly written?: WrittenItem }
  /** `text` follows `Require`, and `not` if it is negated; `writing` may replace it. */
  | {
      readonly kind: 'line'
      readonly text: string
      readonly negated: boolean
      readonly writing?: Writing
      readonly written?: WrittenItem
    }
  | {
      readonly kind: 'all' | 'any' | 'none'
      readonly children: readonly Requirement[]
      readonly written?: WrittenItem
    }

export interface WrittenItem {
  readonly item: DocumentItem
  /** The use of a macro within which it has this meaning; null if it does everywhere. */
  readonly frame: string | null
}

export const GRANTED: Requirement = { kind: 'granted' }
export const DENIED: Requirement = { kind: 'denied' }

export function line(text: string, writing?: Writing): Requirement {
  return { kind: 'line', text, negated: false, writing }
}

export function not(text: string, writing?: Writing): Requirement {
  return { kind: 'line', text, negated: true, writing }
}

/**
 * The shortest formula that grants if one of these does. None of them may be neutral (see
 * {@link mayBeNeutral}): next to a neutral one, "denied" could not be omitted.
 */
export function anyOf(requirements: readonly Requirement[]): Requirement {
  const children = unique(requirements.flatMap((one) => (one.kind === 'any' && one.written === undefined ? one.children : [one])))
  if (children.some(({ kind }) => kind === 'granted')) return GRANTED
  const left = children.filter(({ kind }) => kind !== 'denied')
  if (left.length === 0) return DENIED
  return left.length === 1 ? left[0] : { kind: 'any', children: left }
}

/**
 * The shortest formula that grants access if all of these do. Negated lines only deny, so "granted" is added
 * if nothing else grants access.
 */
export function allOf(requirements: readonly Requirement[]): Requirement {
  const children = unique(requirements.flatMap((one) => (one.kind === 'all' && one.written === undefined ? one.children : [one])))
  if (children.some(({ kind }) => kind === 'denied')) return DENIED
  const said = children.filter(({ kind }) => kind !== 'granted')
  if (said.length === 0) return GRANTED
  const grants = said.some((one) => !isVeto(one))
  const left = grants ? said : [GRANTED, ...said]
  return left.length === 1 ? left[0] : { kind: 'all', children: left }
}

/**
 * True if the formula can be neutral, which counts as denied at the root and is ignored by `<RequireAll>`.
 */
export function mayBeNeutral(requirement: Requirement): boolean {
  switch (requirement.kind) {
    case 'granted':
    case 'denied':
      return false
    case 'line':
      return requirement.negated
    case 'none':
      return true
    case 'any':
    case 'all':
      return requirement.children.every(mayBeNeutral)
  }
}

/** The same text for formulas with the same words and meaning. */
export function requirementKey(requirement: Requirement): string {
  switch (requirement.kind) {
    case 'granted':
    case 'denied':
      return requirement.kind
    case 'line':
      return `${requirement.negated ? 'not ' : ''}${requirement.text}`
    default:
      return `${requirement.kind}(${requirement.children.map(requirementKey).join('; ')})`
  }
}

function isVeto(requirement: Requirement): boolean {
  return requirement.kind === 'none' || (requirement.kind === 'line' && requirement.negated)
}

function unique(requirements: readonly Requirement[]): Requirement[] {
  const seen = new Set<string>()
  return requirements.filter((one) => {
    const key = requirementKey(one)
    return !seen.has(key) && seen.add(key) !== undefined
  })
}
