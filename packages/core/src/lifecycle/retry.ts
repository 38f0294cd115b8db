import { HTTP_INTERNAL_SERVER_ERROR, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import { type Phase, phase } from './phase.ts'

/**
 * Attempts to respond to one request before only a status is sent: an error page may fail like the response,
 * and its replacement once more.
 */
const MAX_FAILURES = 4

/**
 * The phases after a delivery that failed, for example in a filter: the request goes back to the phases that
 * make an error page.
 */
export function retryPhases(): readonly Phase[] {
  return [
    phase('withdraw', withdraw, { on: 'failure' }),
    phase('reduceToStatus', reduceToStatus, { on: 'failure', when: hasFailedOften, continueAt: 'completeFields' }),
    phase('replaceResponse', () => OK, { on: 'failure', continueAt: 'leaveToOther' }),
  ]
}

function withdraw(request: RequestRecord): Outcome {
  request.answer.release(request)
  request.answer.failures++
  return OK
}

function hasFailedOften({ answer }: RequestRecord): boolean {
  return answer.failures >= MAX_FAILURES
}

/**
 * Removes everything from the response except that the request failed. Only the status is sent, without the
 * filters and functions that failed.
 */
export function reduceToStatus(request: RequestRecord): Outcome {
  request.errHeadersOut.clear()
  request.clearHeadersOut()
  request.errHeadersOut.set('Connection', 'close')
  request.lengthUnstated = false
  request.status = HTTP_INTERNAL_SERVER_ERROR
  request.contentType = null
  request.replaceBody('')
  request.outputFilters = null
  return OK
}
