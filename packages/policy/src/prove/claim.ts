import type { Question } from '../question.ts'

/** What a server did with a request, as far as a client or a log can observe. */
export interface Decided {
  readonly status: number
  readonly challenge: string
  readonly user: string | null
}

/** A request with the claimed results of two configurations. */
export interface Claim {
  readonly question: Question
  /** Variables that are assumed to be set, in the order of the headers that set them. */
  readonly variables: readonly string[]
  /** Whether rules use names of clients, which only the proof provides. */
  readonly byName: boolean
  /** Whether users do not authenticate with Basic authentication. */
  readonly otherLogin: boolean
  readonly before: Decided
  readonly after: Decided
}
