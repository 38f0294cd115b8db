import { MethodSet, type SectionInfo } from '@gatewright/api'
import { RuleList } from './rule-list.ts'

export type Order = 'deny,allow' | 'allow,deny' | 'mutual-failure'
export type Satisfy = 'all' | 'any'

/** Number of method numbers. */
const METHODS = 64
const UNSET: readonly undefined[] = Object.freeze(Array.from({ length: METHODS }, () => undefined))

/**
 * Host rules of one section. Merging replaces all of them: no Order, Allow, Deny or Satisfy of an outer
 * section is kept.
 */
export interface HostRules {
  /** By method number; undefined means `deny,allow`. */
  order: readonly (Order | undefined)[]
  /** By method number; undefined means not set. */
  satisfy: readonly (Satisfy | undefined)[]
  readonly allows: RuleList
  readonly denies: RuleList
  /** Methods to which an Order, Allow or Deny of this section applies. Satisfy alone is not a host rule. */
  ruled: MethodSet
  /** The section that contains the rules. */
  readonly section: SectionInfo
}

export function createHostRules(section: SectionInfo): HostRules {
  return {
    order: UNSET,
    satisfy: UNSET,
    allows: new RuleList(),
    denies: new RuleList(),
    ruled: MethodSet.NONE,
    section,
  }
}

/** Copies a list by method number, with a new value for some of the methods. */
export function withMethods<T>(list: readonly (T | undefined)[], methods: MethodSet, value: T): readonly (T | undefined)[] {
  return list.map((old, number) => (methods.has(number) ? value : old))
}
