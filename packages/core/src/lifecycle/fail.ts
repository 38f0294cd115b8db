import { OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { ErrorAnswers } from './error-answer.ts'
import { type Phase, phase } from './phase.ts'
import type { RequestBodies } from './request-bodies.ts'

/**
 * The phases from an error to a response in its place. They either leave a page in the request that failed, or
 * in the first request of the chain that failed, or continue with the request for an ErrorDocument.
 */
export function failurePhases(errors: ErrorAnswers, bodies: RequestBodies): readonly Phase[] {
  const replaceByRefusal = (request: RequestRecord, outcome: Outcome): Outcome => {
    if (outcome !== OK) errors.refuseBody(request, outcome)
    return OK
  }
  return [
    phase('leaveToOther', () => OK, { on: 'failure', when: isAnsweredByOther, continueAt: 'end' }),
    phase('answerError', (request, failure) => errors.answer(request, failure), { on: 'failure' }),
    phase('finishBody', (request) => bodies.finish(request), { on: 'failure', verdict: replaceByRefusal }),
  ]
}

/** True if the request was redirected internally by its handler, which failed afterwards. */
function isAnsweredByOther({ answer }: RequestRecord): boolean {
  return answer.request !== null
}
