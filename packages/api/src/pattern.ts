/** A compiled regular expression: PCRE syntax, bytes, not anchored. */
export interface Pattern {
  /** As written. */
  readonly source: string
  /** Whether the pattern matches in the text. */
  test(text: string): boolean
  /** Groups 0 to n of the first match, '' for a group that did not take part; null without a match. */
  match(text: string): readonly string[] | null
  /**
   * The first match with its position; null without a match.
   * @since 2.4.5
   */
  search(text: string): PatternMatch | null
  /** Named groups by number. */
  readonly names: ReadonlyMap<string, number>
  /**
   * What the named groups of the first match captured, without those that did not take part; null without a match.
   * @since 2.4.6
   */
  namedGroups(text: string): ReadonlyMap<string, string> | null
}

/**
 * A match and its position.
 * @since 2.4.5
 */
export interface PatternMatch {
  /** Index of its first character. */
  readonly index: number
  /** Groups 0 to n, '' for a group that did not take part. */
  readonly groups: readonly string[]
}
