import type { DirectivePlace, Pattern } from '@gatewright/api'
import type { RewriteCondition } from './condition.ts'
import type { ReferenceEscaping } from './escape-reference.ts'
import type { Template } from './template.ts'

/** What becomes of queries. */
export interface QueryHandling {
  /** QSD: the query of the request is dropped. */
  readonly discarded: boolean
  /** QSA: the request's query is appended to that of the substitution, which otherwise replaces it. */
  readonly appended: boolean
  /** QSL: the query begins at the last question mark. */
  readonly last: boolean
  /** False where a question mark can only stand in what references put in, and means nothing. */
  readonly read: boolean
}

/** A RewriteRule line with its conditions. */
export interface RewriteRule {
  /** The pattern as it is written, without `!`. */
  readonly source: string
  readonly pattern: Pattern
  readonly negated: boolean
  readonly conditions: readonly RewriteCondition[]
  /** null when nothing is substituted: `-`, or a status that is no redirect. */
  readonly substitution: Template | null
  /** R, F, G: the status; `forced` when it is a redirect. 302 when nothing is said. */
  readonly status: number
  readonly answer: 'none' | 'redirect' | 'status'
  readonly proxy: boolean
  readonly passThrough: boolean
  readonly last: boolean
  readonly end: boolean
  readonly chain: boolean
  /** N: rounds after which the request is given up; null without the flag. */
  readonly rounds: number | null
  readonly skip: number
  /** NS, and R of any status: left out where nobody is answered. */
  readonly noSubrequest: boolean
  /** NE: the result of a redirect is sent as it is. */
  readonly noEscape: boolean
  readonly discardPathInfo: boolean
  readonly query: QueryHandling
  readonly environment: readonly Template[]
  readonly cookies: readonly Template[]
  readonly type: Template | null
  readonly handler: Template | null
  readonly escaping: ReferenceEscaping | null
  readonly unsafeQuestionMark: boolean
  readonly unsafePrefix: boolean
  /** UNC: slashes that references put at the beginning are kept. */
  readonly keepSlashes: boolean
  readonly place: DirectivePlace
}
