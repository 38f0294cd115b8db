import type { Pattern } from '@gatewright/api'
import type { Value } from './value.ts'
import type { When } from './when.ts'

/** `set`, `add` and their kin: what they do with a value. */
export type SettingAction = 'set' | 'setifempty' | 'add' | 'append' | 'merge'

/** One Header or RequestHeader line. `when` is null for lines without env= or expr=. */
export type Rule =
  | { readonly action: SettingAction; readonly name: string; readonly value: Value; readonly when: When | null }
  | { readonly action: 'unset'; readonly name: string; readonly when: When | null }
  /** Copies the fields of the request whose name matches. */
  | { readonly action: 'echo'; readonly pattern: Pattern; readonly when: When | null }
  | EditRule
  /** Stores the field's first value under the name that `value` gives. */
  | { readonly action: 'note'; readonly name: string; readonly value: Value; readonly when: When | null }

export interface EditRule {
  readonly action: 'edit'
  readonly name: string
  /** A pattern with a last group that takes what follows the match: made by `compileSearch`. */
  readonly search: Pattern
  readonly value: Value
  readonly matches: 'first' | 'all'
  readonly when: When | null
}

/** Rules by the headers that they change. */
export interface RuleSet {
  /** RequestHeader. */
  readonly request: Rule[]
  /** Header, and Header onsuccess. */
  readonly onSuccess: Rule[]
  /** Header always. */
  readonly always: Rule[]
}

export type RuleTarget = keyof RuleSet
