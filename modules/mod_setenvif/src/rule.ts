import type { Condition, DirectivePlace } from '@gatewright/api'
import type { Action } from './action.ts'
import type { TextTest } from './text-test.ts'

/** One SetEnvIf or BrowserMatch line. */
export interface TextRule {
  readonly kind: 'text'
  readonly test: TextTest
  readonly actions: readonly Action[]
  readonly place: DirectivePlace
  /** True if an action uses groups of the match. */
  readonly usesGroups: boolean
}

/** One SetEnvIfExpr line. */
export interface ConditionRule {
  readonly kind: 'condition'
  readonly condition: Condition
  readonly actions: readonly Action[]
  readonly place: DirectivePlace
}

export type Rule = TextRule | ConditionRule
