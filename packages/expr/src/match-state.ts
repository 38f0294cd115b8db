/**
 * The groups of the last regular expression with groups that an expression compared: what `$0` to `$9` stand for. Pass one
 * to several evaluations to carry them from a condition to a string.
 */
export class MatchState {
  /** Numbered as in the pattern; undefined before a comparison, null after one that failed. */
  match: RegExpExecArray | null | undefined = undefined

  /** The text of a group; empty when it is unset or does not exist. */
  group(number: number): string {
    return this.match?.[number] ?? ''
  }
}
