import type { Access } from '../explanation.ts'
import type { Question } from '../question.ts'

/**
 * What a finding is worth: an `error` is open although a line closes it, or would be open to whoever tries; a `warning` is a rule that does not do what it
 * says; a `note` is a trap that nobody has stepped into yet.
 */
export type Severity = 'error' | 'warning' | 'note'

/** Something in a configuration that is wrong, or will be taken for something else. Plain data. */
export interface Finding {
  /** `GW001`: the page of this name in `packages/policy/rules` tells more. */
  readonly rule: string
  readonly severity: Severity
  readonly file: string
  /** From 1; 0 for a whole file. */
  readonly line: number
  readonly message: string
  /** What to do. */
  readonly hint: string
  /** A request that shows it. The server's own code has decided it. */
  readonly request?: FindingRequest
}

export interface FindingRequest {
  /** A command that sends it. */
  readonly curl: string
  readonly question: Question
  /** What came of it. */
  readonly access: Access
  readonly status: number
}
