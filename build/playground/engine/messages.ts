import type { Trouble } from '@gatewright/language-server'
import type { Case } from './question-case.ts'

/** A file of 2.2 in the dialect of 2.4. */
export interface MigratedText {
  readonly path: string
  readonly after: string
  readonly diff: string
}

export interface MigratedCase {
  readonly files: readonly MigratedText[]
  /** What stays in the old dialect, and why. */
  readonly left: readonly { readonly file: string; readonly line: number; readonly text: string }[]
}

/** The page asks. */
export interface CaseMessage {
  readonly id: number
  readonly given: Case
}

/** The answer to a case, for people. */
export interface AnswerShown {
  readonly status: number
  readonly reason: string
  /** Of access control. */
  readonly access: string
  /** One sentence. */
  readonly rule: string
  /** Fields of the response that matter. */
  readonly fields: readonly (readonly [string, string])[]
  /** The output of `gatewright explain`, with the sequences that colour terminals. */
  readonly text: string
  /** The output of `gatewright explain --json`. */
  readonly json: string
}

/** A mistake that keeps the case from being answered. Without a file, it is one of the request. */
export interface RefusalShown {
  readonly file: string
  readonly line: number
  readonly message: string
  readonly hint: string | null
}

/** The engine answers, part by part. */
export type PartMessage = { readonly id: number } & (
  | { readonly part: 'answer'; readonly answer: AnswerShown; readonly ms: number }
  | { readonly part: 'refusal'; readonly refusal: RefusalShown; readonly ms: number }
  | { readonly part: 'troubles'; readonly troubles: readonly Trouble[] }
  | { readonly part: 'findings'; readonly findings: readonly Trouble[]; readonly failure: string | null }
  | { readonly part: 'migration'; readonly migration: MigratedCase | null; readonly failure: string | null }
  | { readonly part: 'failure'; readonly message: string }
  | { readonly part: 'end' }
)
