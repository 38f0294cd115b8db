import type { Place } from '../explanation.ts'
import type { Severity } from '../finding.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'

/** One kind of mistake. Its page is `packages/policy/rules/ID.md`. */
export interface Rule {
  /** `GW001`; an id is never reused for another rule. */
  readonly id: string
  /** A few words for tables. */
  readonly about: string
  readonly severity: Severity
  /** True when every finding carries a request that was decided. */
  readonly isConfirmed: boolean
  find(site: LintedSite): Iterable<Found> | Promise<Iterable<Found>>
}

/** A finding of a rule. */
export interface Found {
  readonly place: Place
  readonly message: string
  readonly hint: string
  /** If it differs from the rule's. */
  readonly severity?: Severity
  /** The request that proves it, if the rule provides one. */
  readonly shownBy?: Observation
  /** The message if `place` is in a file that does not exist. */
  readonly cause?: Pick<Found, 'place' | 'message' | 'hint'> | undefined
}
