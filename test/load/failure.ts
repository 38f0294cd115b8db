/** What can become of a request that was begun and not answered rightly. */
export const FAILURE_KINDS = [
  'connect refused',
  'connect failed',
  'reset before the first byte',
  'reset in the answer',
  'closed without answer',
  'closed in the answer',
  /** The answer before it said that the connection ends, and it was sent already: only pipelining meets this. */
  'dropped behind Connection: close',
  'timed out',
  'wrong status',
  'wrong body',
  'malformed answer',
] as const

export type FailureKind = (typeof FAILURE_KINDS)[number]

/** Whether a request was the first one of its connection. */
export type Place = 'first' | 'later'

/** One request that came to nothing. */
export interface Failure {
  readonly id: number
  readonly kind: FailureKind
  readonly place: Place
  /** The process that had answered on the connection before; null when none had. */
  readonly worker: number | null
  /** Milliseconds for which nothing was asked on the connection before. */
  readonly idle: number
  /** What was seen, for people: a status, an error of the system. */
  readonly detail: string
}
