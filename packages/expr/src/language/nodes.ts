import type { StringFunction } from '../lookup.ts'

/** A parsed word: a node with a text value. */
export type Word<R> =
  /** `digits` is a bare number, which no operator treats as a literal. */
  | { readonly kind: 'text' | 'digits'; readonly text: string }
  | { readonly kind: 'variable'; readonly value: (request: R) => string }
  | { readonly kind: 'reference'; readonly group: number }
  | { readonly kind: 'pureCall'; readonly call: (argument: string) => string; readonly argument: Word<R> }
  | { readonly kind: 'call'; readonly definition: StringFunction<R>; readonly argument: Word<R> }
  /** httpd groups the pieces of a string from the left, and words joined by dots from the right. */
  | { readonly kind: 'concat'; readonly from: 'left' | 'right'; readonly parts: readonly Word<R>[] }

/** A parsed condition: a node that is true or false. */
export type Clause<R> =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'not'; readonly clause: Clause<R> }
  | { readonly kind: 'all' | 'any'; readonly clauses: readonly Clause<R>[] }
  | { readonly kind: 'strings'; readonly operator: Comparison; readonly left: Word<R>; readonly right: Word<R> }
  | { readonly kind: 'integers'; readonly operator: Comparison; readonly left: Word<R>; readonly right: Word<R> }
  /** Of SSLRequire: a shorter text is less than a longer one. */
  | { readonly kind: 'byLength'; readonly operator: Comparison; readonly left: Word<R>; readonly right: Word<R> }
  | {
      readonly kind: 'match'
      readonly sense: 'found' | 'missing'
      readonly word: Word<R>
      readonly pattern: RegExp
      readonly groups: number
    }
  | { readonly kind: 'member'; readonly word: Word<R>; readonly list: readonly Word<R>[] }
  | {
      readonly kind: 'listMember'
      readonly word: Word<R>
      readonly list: (request: R, argument: string) => readonly string[]
      readonly argument: Word<R>
    }
  | { readonly kind: 'test'; readonly test: (request: R) => boolean }
  | { readonly kind: 'unary'; readonly test: (request: R, argument: string) => boolean; readonly argument: Word<R> }
  | {
      readonly kind: 'binary'
      readonly test: (request: R, left: string, right: string) => boolean
      readonly left: Word<R>
      readonly right: Word<R>
    }
  | { readonly kind: 'boundBinary'; readonly test: (request: R, left: string) => boolean; readonly left: Word<R> }

export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'
