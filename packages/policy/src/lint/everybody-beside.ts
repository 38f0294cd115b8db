import { everybodyBeside as everybodyBesideOf } from '../surprises/everybody-beside.ts'
import type { Rule } from './rule.ts'

/** `Require all granted` beside lines that are to keep somebody out. */
export const everybodyBeside: Rule = {
  id: 'GW008',
  about: 'Require lines that never decide, for Require all granted stands beside them',
  severity: 'error',
  isConfirmed: true,
  find: ({ observations }) =>
    observations.flatMap((shownBy) =>
      everybodyBesideOf(shownBy).map(({ text, places: [place] }) => ({
        place,
        message: text,
        hint: 'take Require all granted out, or put a <RequireAll> around all of them',
        shownBy,
      })),
    ),
}
