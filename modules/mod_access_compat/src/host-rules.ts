import { type MergeStep, MethodSet, type SectionInfo } from '@gatewright/api'
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
  /** Place of the section in the merge order; 0 before merging. */
  readonly position: number
  /** The section that says it; null for the server's defaults. */
  readonly section: SectionInfo | null
}

export function createHostRules(section: SectionInfo): HostRules {
  const { kind } = section
  return {
    order: UNSET,
    satisfy: UNSET,
    allows: new RuleList(),
    denies: new RuleList(),
    ruled: MethodSet.NONE,
    position: 0,
    section: kind === 'server' ? null : section,
  }
}

/** The section's own rules, with their place in the merge order noted when they are merged for the first time. */
export function replaceHostRules(_base: Readonly<HostRules>, over: Readonly<HostRules>, step: MergeStep): HostRules {
  return { ...over, position: over.position === 0 ? step.position : over.position }
}

/** A list by method number with a value set for some of the methods. */
export function withMethods<T>(list: readonly (T | undefined)[], methods: MethodSet, value: T): readonly (T | undefined)[] {
  return list.map((old, number) => (methods.has(number) ? value : old))
}
