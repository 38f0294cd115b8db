/** One requirement of RFC 9110 or RFC 9112 for an origin server, as bytes and what may come back. */
export interface Probe {
  /** Never changes, because lists and tables contain it. */
  readonly id: string
  /** `9112 3.2` is section 3.2 of RFC 9112. */
  readonly section: string
  readonly level: Level
  /** The server's behaviour, as a sentence. */
  readonly title: string
  readonly sends: readonly Step[]
  /** Methods of the requests whose answers are awaited, GET unless they matter: an answer to HEAD ends with its head. */
  readonly methods?: readonly string[]
  /** A feature that must be configured for the probe. */
  readonly needs?: Feature
  /** The probe passes if one of them occurs. */
  readonly outcomes: readonly Outcome[]
}

/** The RFCs' `MUST NOT` is a MUST, `SHOULD NOT` and `RECOMMENDED` are SHOULDs. */
export type Level = 'MUST' | 'SHOULD'

/** `validators`: ETag and conditions; `hosts`: a second site; `login`: a folder with a password; `nothing`: a path with the answer 204. */
export type Feature = 'validators' | 'ranges' | 'hosts' | 'login' | 'nothing' | 'redirect'

/**
 * Bytes of one write, one character each, or something else that the client does. `{{etag}}`, `{{opaque}}` (the ETag without its quotes) and `{{modified}}` stand for
 * what the server itself says of `/letters.txt`.
 */
export type Step = string | 'await answer' | 'end'

/** A possible result of a probe. */
export interface Outcome {
  /** The final answers, no more and no fewer. */
  readonly answers: readonly AnswerPattern[]
  /**
   * The state of the connection: closed by the server, or the next request on it is answered correctly. If
   * absent, either.
   */
  readonly fate?: 'closed' | 'open'
  /** The number of 100 (Continue) responses before the first final answer; if absent, any number. */
  readonly continues?: 0 | 1
}

export interface AnswerPattern {
  /** If absent, any status. */
  readonly status?: readonly (number | StatusClass)[]
  /** By names in lower case. A pattern, several that must all hold, or null for a field that must not be there. */
  readonly fields?: Readonly<Record<string, RegExp | null>>
  /** The content, without its framing. */
  readonly body?: string | RegExp
  /** The version of the status line. */
  readonly version?: string
  /** A relation that a pattern for one field cannot express. */
  readonly holds?: Relation
}

export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx'

/** `sameLength`: Content-Length, if there is one, is that of /letters.txt. `notFromTheFuture`: Last-Modified is not later than Date. */
export type Relation = 'sameLength' | 'notFromTheFuture'
