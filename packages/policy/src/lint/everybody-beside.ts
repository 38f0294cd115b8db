import { everybodyBeside as everybodyBesideOf } from '../mistakes/everybody-beside.ts'
import type { Rule } from '../mistakes/rule.ts'

/** `Require all granted` next to lines that are meant to deny access. */
export const everybodyBeside: Rule = {
  id: 'GW008',
  about: 'Require lines without effect, because of Require all granted in the same section',
  severity: 'error',
  isConfirmed: true,
  find: ({ observations }) =>
    observations.flatMap((shownBy) =>
      everybodyBesideOf(shownBy).map(({ text, places: [place] }) => ({
        place,
        message: text,
        hint: 'remove Require all granted, or enclose all lines in a <RequireAll>',
        shownBy,
      })),
    ),
}
