import type { Condition as Expression, Pattern } from '@gatewright/api'
import type { Template } from './template.ts'

/** The property of a path that a file test checks. */
export type FileTest = 'directory' | 'file' | 'size' | 'link' | 'executable'

/** A condition's test of its text. */
export type Test =
  | { readonly kind: 'pattern'; readonly pattern: Pattern }
  | { readonly kind: 'text'; readonly holds: (order: number) => boolean; readonly text: string }
  | { readonly kind: 'equal'; readonly text: string }
  | { readonly kind: 'number'; readonly holds: (difference: number) => boolean; readonly number: number }
  | { readonly kind: 'path'; readonly test: FileTest }
  | { readonly kind: 'servedFile' }
  | { readonly kind: 'servedUrl' }
  | { readonly kind: 'expression'; readonly expression: Expression }

/** A RewriteCond line. */
export interface RewriteCondition {
  readonly input: Template
  /** The pattern as written, `!` included. */
  readonly source: string
  readonly test: Test
  readonly negated: boolean
  readonly ignoreCase: boolean
  /** Flag OR: the condition is an alternative to the next one. */
  readonly orNext: boolean
  /** Flag NV: header fields that the condition reads are not listed in Vary. */
  readonly noVary: boolean
}
