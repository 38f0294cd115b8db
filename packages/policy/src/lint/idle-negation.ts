import { idleNegation as idleNegationOf } from '../mistakes/idle-negation.ts'
import type { Rule } from '../mistakes/rule.ts'

/** `Require not user` without a request for a user name. */
export const idleNegation: Rule = {
  id: 'GW019',
  about: 'a negation about users, although no user name is requested',
  severity: 'error',
  isConfirmed: true,
  find: ({ observations }) =>
    observations.flatMap((shownBy) =>
      idleNegationOf(shownBy).map(({ text, places: [place] }) => ({
        place,
        message: text,
        hint: 'add Require valid-user to the same <RequireAll>',
        shownBy,
      })),
    ),
}
