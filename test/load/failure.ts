/** The outcomes of a request that was not answered correctly. */
export const FAILURE_KINDS = [
  'connect refused',
  'connect failed',
  'handshake failed',
  'reset before the first byte',
  'reset in the answer',
  'closed without answer',
  'closed in the answer',
  /**
   * The answer before it, which announced the end of the connection, was sent already: this occurs only with
   * pipelining.
   */
  'dropped behind Connection: close',
  'timed out',
  'wrong status',
  'wrong body',
  'malformed answer',
] as const

export type FailureKind = (typeof FAILURE_KINDS)[number]

/** Whether a request was the first one of its connection. */
export type Place = 'first' | 'later'

/** One failed request. */
export interface Failure {
  readonly id: number
  readonly kind: FailureKind
  readonly place: Place
  /** The process that had answered on the connection before; null when none had. */
  readonly worker: number | null
  /** Milliseconds for which nothing was asked on the connection before. */
  readonly idle: number
  /** The observation, for people: a status, an error of the system. */
  readonly detail: string
}
