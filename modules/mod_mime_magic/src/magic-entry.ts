/** The bytes that a test may look at, as in httpd: a test whose bytes would reach beyond the file fails. */
export const VALUE_SIZE = 64

/** A type of numbers, or `string`. */
export type MagicType = 'byte' | 'string' | `${'' | 'be' | 'le'}${'short' | 'long' | 'date'}`

/** How the bytes of a file are compared with a value. `x` is always true. */
export type Relation = '=' | '!' | '<' | '>' | '&' | '^' | 'x'

/** One line of a magic file. */
export interface MagicEntry {
  /** The number of `>` at the beginning: 0 for a test of its own, else one that continues another. */
  readonly level: number
  readonly offset: Offset
  readonly type: MagicType
  readonly isUnsigned: boolean
  /** null without `&MASK` at the type. */
  readonly mask: bigint | null
  readonly relation: Relation
  /** A string has one byte per character. */
  readonly value: string | bigint
  /** The media type, perhaps with an encoding after a blank, or a part of both; '' adds nothing. */
  readonly result: string
  /** The result follows that of the test before without a blank. */
  readonly joins: boolean
}

/** Where the bytes are: at a place, or at the place that a number in the file names. */
export interface Offset {
  readonly at: number
  readonly indirect: { readonly size: 1 | 2 | 4; readonly add: number } | null
}
