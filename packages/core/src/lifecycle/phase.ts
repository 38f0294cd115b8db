import { DECLINED, HTTP_INTERNAL_SERVER_ERROR, type MaybePromise, type Outcome } from '@gatewright/api'
import type { DecisionTracer } from '@gatewright/api/tracing'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'

/** What a phase does with a request. */
export type PhaseWork = (request: RequestRecord) => MaybePromise<Outcome>
/**
 * What the outcome of a phase means: OK to continue with the next row, otherwise the outcome that ends the
 * request.
 */
export type Verdict = (request: RequestRecord, outcome: Outcome) => Outcome

/** The properties of a row besides its work. */
export interface PhaseRules {
  /** The phase is skipped unless this returns true. A phase without it always runs. */
  readonly when?: (request: RequestRecord) => boolean
  /** Without a verdict, OK continues and every other outcome ends the request. */
  readonly verdict?: Verdict
  /** Reports the outcome to the tracer of a request whose decision is explained. */
  readonly trace?: (request: RequestRecord, tracer: DecisionTracer, outcome: Outcome) => void
}

/**
 * One row of the table in lifecycle.ts. All rows have the same shape, which keeps the loop over them fast.
 */
export interface Phase {
  readonly name: string
  readonly run: PhaseWork
  readonly when: PhaseRules['when']
  readonly verdict: PhaseRules['verdict']
  readonly trace: PhaseRules['trace']
}

/** Creates a row of the table. */
export function phase(name: string, run: PhaseWork, { when, verdict, trace }: PhaseRules = {}): Phase {
  return { name, run, when, verdict, trace }
}

/**
 * A verdict for hooks in which at least one function must be responsible: if all decline, the configuration
 * is wrong.
 */
export function notDeclined(log: CoreLog, task: string): Verdict {
  return (request, outcome) => {
    if (outcome !== DECLINED) return outcome
    log.write(request, 'crit', 'AH00025', `configuration error:  couldn't ${task}: ${request.uri}`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
}
