import type { Stage, Surprise } from '../explanation.ts'
import type { PolicyServer } from '../policy-server.ts'
import type { Question } from '../question.ts'
import type { RecordedRequest } from '../recorder.ts'

/** The input for surprises: the explained request. */
export interface SurpriseContext {
  readonly server: PolicyServer
  /** The same configuration with AccessCompatPrecedence httpd. */
  readonly asHttpd: () => Promise<PolicyServer>
  readonly question: Question
  readonly stage: Stage
  readonly recorded: RecordedRequest
  readonly status: number
}

export type SurpriseFinder = (context: SurpriseContext) => readonly Surprise[] | Promise<readonly Surprise[]>
