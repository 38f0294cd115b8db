import { type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { Phase } from './phase.ts'

/**
 * Runs rows of the table in order. Synchronous while the phases are; after an asynchronous phase has settled,
 * the remaining rows run.
 * @param from index of the first row
 * @returns OK if every row passed the request on, otherwise the outcome with which a row ended it
 */
export function runPhases(phases: readonly Phase[], request: RequestRecord, from: number): MaybePromise<Outcome> {
  for (let index = from; index < phases.length; index++) {
    const { when, run } = phases[index]
    if (when !== undefined && !when(request)) continue
    const result = run(request)
    if (typeof result !== 'number') return resume(phases, request, index, result)
    const outcome = judge(phases[index], request, result)
    if (outcome !== OK) return outcome
  }
  return OK
}

async function resume(
  phases: readonly Phase[],
  request: RequestRecord,
  index: number,
  waiting: Promise<Outcome>,
): Promise<Outcome> {
  const outcome = judge(phases[index], request, await waiting)
  return outcome === OK ? runPhases(phases, request, index + 1) : outcome
}

function judge({ verdict, trace }: Phase, request: RequestRecord, outcome: Outcome): Outcome {
  if (trace !== undefined && request.tracer !== null) trace(request, request.tracer, outcome)
  return verdict === undefined ? outcome : verdict(request, outcome)
}

/**
 * Calls `next` with an outcome: immediately, or after a promise has settled. Unlike `whenSettled` of the API it
 * passes the request on, so that `next` need not be a closure: every request runs this.
 * @returns the return value of `next`
 */
export function afterOutcome<T>(
  outcome: MaybePromise<Outcome>,
  request: RequestRecord,
  next: (request: RequestRecord, outcome: Outcome) => MaybePromise<T>,
): MaybePromise<T> {
  return typeof outcome === 'number' ? next(request, outcome) : outcome.then((settled) => next(request, settled))
}
