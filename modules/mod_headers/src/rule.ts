import type { DirectivePlace, Pattern } from '@gatewright/api'
import type { Value } from './value.ts'
import type { When } from './when.ts'

/** Actions that write a value to a field. */
export type SettingAction = 'set' | 'setifempty' | 'add' | 'append' | 'merge'

/** One Header or RequestHeader line. `when` is null for lines without env= or expr=. */
export type Rule = SettingRule | UnsetRule | EchoRule | EditRule | NoteRule

interface RuleLine {
  readonly when: When | null
  readonly place: DirectivePlace
}

interface SettingRule extends RuleLine {
  readonly action: SettingAction
  readonly name: string
  readonly value: Value
}

interface UnsetRule extends RuleLine {
  readonly action: 'unset'
  readonly name: string
}

/** Copies the fields of the request whose name matches. */
interface EchoRule extends RuleLine {
  readonly action: 'echo'
  readonly pattern: Pattern
}

/** Stores the field's first value under the name that `value` gives. */
interface NoteRule extends RuleLine {
  readonly action: 'note'
  readonly name: string
  readonly value: Value
}

/** Replaces matches in the field's values. */
export interface EditRule extends RuleLine {
  readonly action: 'edit'
  readonly name: string
  readonly search: Pattern
  readonly value: Value
  readonly matches: 'first' | 'all'
}

/** Rules, by the headers that they change. */
export interface RuleSet {
  /** RequestHeader. */
  readonly request: Rule[]
  /** Header, or Header onsuccess. */
  readonly onSuccess: Rule[]
  /** Header always. */
  readonly always: Rule[]
}

export type RuleTarget = keyof RuleSet
