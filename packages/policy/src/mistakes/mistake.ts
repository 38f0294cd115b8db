import type { SurpriseFinder } from './context.ts'
import type { Rule } from './rule.ts'

/**
 * A mistake that `explain` reports for one request and `lint` for a whole site. Each has one file with the
 * code that detects it and the texts of both.
 */
export interface Mistake {
  readonly surprises: SurpriseFinder
  readonly rule: Rule
}
