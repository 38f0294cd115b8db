import { DECLINED, HTTP_INTERNAL_SERVER_ERROR, type MaybePromise, type Outcome } from '@gatewright/api'
import type { DecisionTracer } from '@gatewright/api/tracing'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'

/**
 * What a phase does with a request.
 * @param failure for a row of the failure track: the error with which the request arrives
 * @returns an outcome, or another request with which the table continues: a redirect enters at the row for
 * redirects, an earlier request of the same client at the next row
 */
export type PhaseWork = (request: RequestRecord, failure: Outcome) => MaybePromise<Outcome | RequestRecord>
/**
 * What the outcome of a phase means: OK to continue with the next row, DONE to skip to the delivery of the
 * response, or an error.
 */
export type Verdict = (request: RequestRecord, outcome: Outcome) => Outcome

/** The track on which a phase works. `both` also sees the requests that have failed. */
export type Track = 'success' | 'failure' | 'both'

/** On which track a phase works, and for which requests. */
type Choice =
  | {
      /** `success` if not set. */
      readonly on?: 'success' | 'failure'
      /** The phase is skipped unless this returns true. A phase without it always runs. */
      readonly when?: (request: RequestRecord) => boolean
    }
  // A skipped request would continue on one track, and a phase of both tracks has requests of both.
  | { readonly on: 'both'; readonly when?: undefined }

/** The properties of a row besides its work. */
export type PhaseRules = Choice & {
  /** Without a verdict, the outcome of the work is the outcome of the phase. */
  readonly verdict?: Verdict
  /** Reports the outcome to the tracer of a request whose decision is explained. */
  readonly trace?: (request: RequestRecord, tracer: DecisionTracer, outcome: Outcome) => void
  /** The name of the row that follows after OK, if it is not the row below. `end` ends the life of the request. */
  readonly continueAt?: string
}

/** One row of the table in lifecycle.ts. */
export type Phase = PhaseRules & {
  readonly name: string
  readonly on: Track
  readonly run: PhaseWork
  /** True if the work always returns OK and does nothing else: a hook without functions. */
  readonly isIdle: boolean
}

/**
 * A row after the response. It always runs, and its outcome has no meaning: there is nothing left that it could
 * change.
 */
export interface FinalPhase {
  readonly name: string
  readonly run: (request: RequestRecord) => void
}

/** Creates a row of the table. */
export function phase(name: string, run: PhaseWork, rules: PhaseRules = {}, isIdle = false): Phase {
  return rules.on === 'both' ? { ...rules, name, run, isIdle } : { ...rules, on: rules.on ?? 'success', name, run, isIdle }
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
