import type { ConfiguredRule } from './configured-rules.ts'
import type { Visits } from './tallied-visits.ts'

/** What a log of AuthzAuditLog says about a day, or about all of its lines. */
export interface AuditReport {
  /** `2026-01-31` in UTC; null for all lines. */
  readonly day: string | null
  /** Times of the first and of the last decision; null without decisions. */
  readonly first: string | null
  readonly last: string | null
  readonly granted: number
  readonly refused: number
  /** Requests that could not be decided. */
  readonly failed: number
  /** Whether grants were sampled, so that their numbers are estimates. */
  readonly isSampled: boolean
  /** Lines that AuthzAuditLog has not written, or not whole. */
  readonly unreadable: number
  /** Decisions of other days, which were left out. */
  readonly otherDays: number
  /** The most frequent reason first. */
  readonly refusals: readonly Refusals[]
  /** Null if it is not known, because the log has no grants. */
  readonly unmatched: readonly UnmatchedRule[] | null
  /** Whether `unmatched` has all rules of the server's files; else only those that were asked. */
  readonly knowsConfiguration: boolean
  readonly byAddress: readonly AddressGrants[]
}

/** Refusals for the same reason. */
export interface Refusals {
  /** The rules that refused; empty if none of Require, Allow and Deny did. */
  readonly rules: readonly ConfiguredRule[]
  /** What refused instead, such as `RequestRate`; '' if nothing is named. */
  readonly by: string
  readonly status: number
  readonly count: number
  readonly visits: readonly Visits[]
  /** Refusals that `visits` does not show. */
  readonly others: number
}

/** A rule that never applied: that admitted nobody, or, if it refuses, refused nobody. */
export interface UnmatchedRule extends ConfiguredRule {
  /** How often it was asked. */
  readonly asked: number
}

/** Grants that rest on the client's address and on nothing else. */
export interface AddressGrants {
  readonly rules: readonly ConfiguredRule[]
  readonly count: number
  readonly visits: readonly Visits[]
  /** Grants that `visits` does not show. */
  readonly others: number
}
