import { MethodSet, type SectionInfo } from '@gatewright/api'
import { RuleList } from './rule-list.ts'

export type Order = 'deny,allow' | 'allow,deny' | 'mutual-failure'
export type Satisfy = 'all' | 'any'

/** Room for every method number. */
const METHODS = 64
const UNSET: readonly undefined[] = Object.freeze(Array.from({ length: METHODS }, () => undefined))

/** What one section says. Merging replaces the whole: nothing of an outer section's Order, Allow, Deny or Satisfy is kept. */
export interface HostRules {
  /** By method number; undefined is `deny,allow`. */
  order: readonly (Order | undefined)[]
  /** By method number; undefined is unset. */
  satisfy: readonly (Satisfy | undefined)[]
  readonly allows: RuleList
  readonly denies: RuleList
  /** Methods for which an Order, Allow or Deny stands here. Satisfy alone is no host rule. */
  ruled: MethodSet
  /** The section that says it. */
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

/** A list by method number with a value set for some of the methods. */
export function withMethods<T>(list: readonly (T | undefined)[], methods: MethodSet, value: T): readonly (T | undefined)[] {
  return list.map((old, number) => (methods.has(number) ? value : old))
}
