import type { Surprise } from '../explanation.ts'
import type { Observation } from '../site/observation.ts'
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

/** A rule that reports the surprises of each observation at their first place, with the same advice. */
export function surprisingObservations(surprises: (observation: Observation) => readonly Surprise[], hint: string): Rule['find'] {
  return ({ observations }) =>
    observations.flatMap((shownBy) =>
      surprises(shownBy).map(({ text, places: [place] }) => ({ place, message: text, hint, shownBy })),
    )
}
