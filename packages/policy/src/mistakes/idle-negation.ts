import type { Surprise } from '../explanation.ts'
import { leaves } from '../stages/tree-node.ts'
import type { SurpriseContext } from './context.ts'
import { type Mistake, surprisingObservations } from './mistake.ts'

/** `Require not user bob`, although nothing requests a user name. */
export const idleNegation: Mistake = {
  surprises,
  rule: {
    id: 'GW019',
    about: 'a negation about users, although no user name is requested',
    severity: 'error',
    isConfirmed: true,
    find: surprisingObservations(surprises, 'add Require valid-user to the same <RequireAll>'),
  },
}

function surprises({ stage }: Pick<SurpriseContext, 'stage'>): Surprise[] {
  const answer = stage.answers.at(-1)
  if (answer === undefined || answer.tree === null || stage.access !== 'granted' || answer.moment !== 'before authentication')
    return []
  const idle = leaves(answer.tree).filter(
    ({ negated, line, verdict }) => negated && verdict === 'neutral' && line !== null && ABOUT_USERS.has(line.provider),
  )
  if (idle.length === 0) return []
  return [
    {
      name: 'negation without user',
      text: `${idle[0].title} denies nobody: the other lines grant access without a user, so no user name is requested. Add Require valid-user.`,
      places: idle.map(({ place }) => place),
    },
  ]
}

const ABOUT_USERS: ReadonlySet<string> = new Set([
  'user',
  'valid-user',
  'group',
  'dbm-group',
  'file-owner',
  'file-group',
  'dbm-file-group',
])
