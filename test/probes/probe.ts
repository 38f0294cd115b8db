/** One requirement of RFC 9110 or RFC 9112 for an origin server, as bytes and what may come back. */
export interface Probe {
  /** Stays the same for good: lists and tables name it. */
  readonly id: string
  /** `9112 3.2` is section 3.2 of RFC 9112. */
  readonly section: string
  readonly level: Level
  /** What the server does, as a sentence. */
  readonly title: string
  readonly sends: readonly Step[]
  /** Methods of the requests whose answers are awaited, GET unless they matter: an answer to HEAD ends with its head. */
  readonly methods?: readonly string[]
  /** What a server must have been told to do for the probe to make sense. */
  readonly needs?: Feature
  /** The probe is passed when one of them comes. */
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

/** What came of a probe. */
export interface Outcome {
  /** The final answers, no more and no fewer. */
  readonly answers: readonly AnswerPattern[]
  /** What has become of the connection: ended by the server, or the next request on it is answered rightly. Either, unless said. */
  readonly fate?: 'closed' | 'open'
  /** How many 100 (Continue) came before the first final answer; any number, unless said. */
  readonly continues?: 0 | 1
}

export interface AnswerPattern {
  /** Any status, unless said. */
  readonly status?: readonly (number | StatusClass)[]
  /** By names in lower case. A pattern, several that must all hold, or null for a field that must not be there. */
  readonly fields?: Readonly<Record<string, RegExp | null>>
  /** The content, without its framing. */
  readonly body?: string | RegExp
  /** The version of the status line. */
  readonly version?: string
  /** Something that no pattern can say of one field alone. */
  readonly holds?: Relation
}

export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx'

/** `sameLength`: Content-Length, if there is one, is that of /letters.txt. `notFromTheFuture`: Last-Modified is not later than Date. */
export type Relation = 'sameLength' | 'notFromTheFuture'
