import type { DirectivePlace, Pattern } from '@gatewright/api'
import type { RewriteCondition } from './condition.ts'
import type { ReferenceEscaping } from './escape-reference.ts'
import type { Template } from './template.ts'

/** How a rule treats queries. */
export interface QueryHandling {
  /** QSD: the query of the request is dropped. */
  readonly discarded: boolean
  /** QSA: the request's query is appended to that of the substitution, which otherwise replaces it. */
  readonly appended: boolean
  /** QSL: the query begins at the last question mark. */
  readonly last: boolean
  /** False if only references could insert a question mark. Such a question mark does not begin a query. */
  readonly read: boolean
}

/** A RewriteRule line with its conditions. */
export interface RewriteRule {
  /** The pattern as written, without `!`. */
  readonly source: string
  readonly pattern: Pattern
  readonly negated: boolean
  readonly conditions: readonly RewriteCondition[]
  /** null if nothing is substituted: `-`, or a status that is not a redirect. */
  readonly substitution: Template | null
  /** R, F, G: the status; 302 by default. */
  readonly status: number
  readonly answer: 'none' | 'redirect' | 'status'
  readonly proxy: boolean
  readonly passThrough: boolean
  readonly last: boolean
  readonly end: boolean
  readonly chain: boolean
  /** N: the maximum number of rounds; null without the flag. */
  readonly rounds: number | null
  readonly skip: number
  /** NS, and R with any status: the rule is not applied to sub-requests. */
  readonly noSubrequest: boolean
  /** NE: the URL of a redirect is not escaped. */
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
  /** UNC: slashes that references insert at the beginning are kept. */
  readonly keepSlashes: boolean
  readonly place: DirectivePlace
}
