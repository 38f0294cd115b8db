import type { BasicExpression } from './basic-expression.ts'

/** The condition of a command on the line: its number, the last line, or a pattern. */
export type Address =
  | { readonly kind: 'line'; readonly number: number }
  | { readonly kind: 'last' }
  | { readonly kind: 'pattern'; readonly pattern: BasicExpression }

/** What a command does. */
export type Action =
  | {
      readonly kind: 'simple'
      readonly letter: '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'l' | 'n' | 'N' | 'p' | 'P' | 'q' | 'x'
    }
  | { readonly kind: 'branch' | 'test'; readonly label: string }
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'block' | 'end' }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string }
  | { readonly kind: 'map'; readonly map: ReadonlyMap<string, string> }
  | Substitution

/** `s/pattern/replacement/flags`. */
export interface Substitution {
  readonly kind: 'substitute'
  readonly pattern: BasicExpression
  readonly replacement: readonly ReplacementPart[]
  /** The number of the match that is replaced; with `global` also all after it. */
  readonly nth: number
  readonly global: boolean
  readonly print: boolean
  /** The file that gets the line; null for none. */
  readonly writeTo: string | null
}

/** A text, or the number of a group; 0 is the whole match. */
export type ReplacementPart = string | number

export interface Command {
  readonly from: Address | null
  readonly to: Address | null
  /** Whether it applies to the other lines. */
  readonly negated: boolean
  readonly action: Action
}

/** A compiled script. */
export interface Script {
  readonly commands: readonly Command[]
  /** Whether lines are printed only by commands: the script begins with `#n`. */
  readonly quiet: boolean
}
