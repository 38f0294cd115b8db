import type { Pattern } from '@gatewright/api'
import type { RewriteCondition } from './condition.ts'
import type { ReferenceEscaping } from './escape-reference.ts'
import type { Template } from './template.ts'

/** What becomes of the query when a substitution has one. */
export type QueryMode = 'replace' | 'append' | 'discard' | 'none'

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
  readonly query: QueryMode
  /** QSL: the query begins at the last question mark. */
  readonly queryLast: boolean
  readonly environment: readonly Template[]
  readonly cookies: readonly Template[]
  readonly type: Template | null
  readonly handler: Template | null
  readonly escaping: ReferenceEscaping | null
  readonly unsafeQuestionMark: boolean
  readonly unsafePrefix: boolean
  readonly keepSlashes: boolean
}
