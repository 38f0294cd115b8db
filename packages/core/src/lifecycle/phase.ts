import { DECLINED, HTTP_INTERNAL_SERVER_ERROR, type MaybePromise, type Outcome } from '@gatewright/api'
import type { DecisionTracer } from '@gatewright/api/tracing'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'

/** What a phase does with a request. */
export type PhaseWork = (request: RequestRecord) => MaybePromise<Outcome>
/** What the outcome of a phase means: OK to go on with the next row, else what the request ends with. */
export type Verdict = (request: RequestRecord, outcome: Outcome) => Outcome

/** What a row says beside its work. */
export interface PhaseRules {
  /** The phase is passed over unless this is true of the request. A phase without it always runs. */
  readonly when?: (request: RequestRecord) => boolean
  /** Without it OK goes on and everything else ends. */
  readonly verdict?: Verdict
  /** Reports the outcome to the tracer of a request whose decision is explained. */
  readonly trace?: (request: RequestRecord, tracer: DecisionTracer, outcome: Outcome) => void
}

/** One row of the table in lifecycle.ts. All rows have one shape, so that the loop over them stays fast. */
export interface Phase {
  readonly name: string
  readonly run: PhaseWork
  readonly when: PhaseRules['when']
  readonly verdict: PhaseRules['verdict']
  readonly trace: PhaseRules['trace']
}

/** A row of the table. */
export function phase(name: string, run: PhaseWork, { when, verdict, trace }: PhaseRules = {}): Phase {
  return { name, run, when, verdict, trace }
}

/** A verdict for hooks in which some function has to be responsible: it is a mistake of the configuration if all decline. */
export function notDeclined(log: CoreLog, task: string): Verdict {
  return (request, outcome) => {
    if (outcome !== DECLINED) return outcome
    log.write(request, 'crit', 'AH00025', `configuration error:  couldn't ${task}: ${request.uri}`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
}
