import type { Access } from './explanation.ts'
import type { Question } from './question.ts'

/**
 * The severity of a finding: an `error` is open although a line closes it, or would be open to anybody who
 * tries; a `warning` is a rule without the effect that it suggests; a `note` is a trap without consequences
 * so far.
 */
export type Severity = 'error' | 'warning' | 'note'

/** A property of a configuration that is wrong, or easily misunderstood. Plain data. */
export interface Finding {
  /** `GW001`: see the page of this name in `packages/policy/rules`. */
  readonly rule: string
  readonly severity: Severity
  readonly file: string
  /** From 1; 0 for a whole file. */
  readonly line: number
  readonly message: string
  /** The solution. */
  readonly hint: string
  /** A request that demonstrates the finding. The server's own code has decided it. */
  readonly request?: FindingRequest
}

export interface FindingRequest {
  /** A command that sends it. */
  readonly curl: string
  readonly question: Question
  /** The result of the request. */
  readonly access: Access
  readonly status: number
}

/** Sorts findings by file, line and rule. */
export function byPlace(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || (a.rule < b.rule ? -1 : 1)
}
