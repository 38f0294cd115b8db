import { DONE, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { CompiledPhase, Sequence } from './sequence.ts'

/**
 * Runs a request through the phases of a sequence. Synchronous while the phases are; after an asynchronous phase
 * has settled, the remaining phases run.
 * @param from index of the first phase
 * @param failure the error with which the request begins on the failure track; OK for the success track
 * @returns OK or DONE if the request ended on the success track, otherwise its last error
 */
export function runPhases(
  sequence: Sequence,
  request: RequestRecord,
  from: number,
  failure: Outcome = OK,
): MaybePromise<Outcome> {
  const { phases } = sequence
  let outcome = failure
  let index = from
  while (index < phases.length) {
    const phase = phases[index]
    if (phase.when !== undefined && !phase.when(request)) {
      index = phase.skipped
      continue
    }
    const result = phase.run(request, outcome)
    if (typeof result !== 'number') {
      if (result instanceof Promise) return resume(sequence, request, index, outcome, result)
      return handOver(sequence, phase, request, result, outcome)
    }
    outcome = outcomeAfter(phase, request, outcome, result)
    index = indexAfter(phase, outcome)
  }
  return outcome
}

async function resume(
  sequence: Sequence,
  request: RequestRecord,
  index: number,
  before: Outcome,
  waiting: Promise<Outcome | RequestRecord>,
): Promise<Outcome> {
  const phase = sequence.phases[index]
  const result = await waiting
  if (typeof result !== 'number') return handOver(sequence, phase, request, result, before)
  const outcome = outcomeAfter(phase, request, before, result)
  return runPhases(sequence, request, indexAfter(phase, outcome), outcome)
}

/** Continues with another request of the same client. */
function handOver(
  sequence: Sequence,
  phase: CompiledPhase,
  request: RequestRecord,
  other: RequestRecord,
  outcome: Outcome,
): MaybePromise<Outcome> {
  const isRedirect = other.prev === request
  return isRedirect ? runPhases(sequence, other, sequence.redirected) : runPhases(sequence, other, phase.next, outcome)
}

function outcomeAfter(phase: CompiledPhase, request: RequestRecord, before: Outcome, result: Outcome): Outcome {
  const { verdict, trace } = phase
  if (trace !== undefined && request.tracer !== null) trace(request, request.tracer, result)
  const outcome = verdict === undefined ? result : verdict(request, result)
  if (outcome !== OK) return outcome
  // A request that has failed keeps its error on the failure track.
  return phase.succeeds || before === DONE ? OK : before
}

function indexAfter({ next, done, failed }: CompiledPhase, outcome: Outcome): number {
  return outcome === OK ? next : outcome === DONE ? done : failed
}

/**
 * Calls `next` with an outcome: immediately, or after a promise has settled. Unlike `whenSettled` of the API it
 * passes the request on, so that `next` need not be a closure.
 * @returns the return value of `next`
 */
export function afterOutcome<T>(
  outcome: MaybePromise<Outcome>,
  request: RequestRecord,
  next: (request: RequestRecord, outcome: Outcome) => MaybePromise<T>,
): MaybePromise<T> {
  return typeof outcome === 'number' ? next(request, outcome) : outcome.then((settled) => next(request, settled))
}
