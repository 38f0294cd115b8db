import type { Surprise } from '../explanation.ts'
import type { SurpriseContext } from '../mistakes/context.ts'

/** Credentials of a request that was granted without them. */
export function unseenCredentials({ question, stage }: SurpriseContext): Surprise[] {
  if (question.credentials === null || stage.access !== 'granted' || stage.user !== null) return []
  return [
    {
      name: 'credentials not looked at',
      text: `The credentials of ${question.credentials.user} were not checked, and wrong ones would be accepted too: access was granted without a user, and applications see none.`,
      places: [],
    },
  ]
}
