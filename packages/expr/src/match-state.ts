/**
 * The groups of the last compared regular expression that has groups: the values of `$0` to `$9`. Pass one
 * state to several evaluations to carry the groups from a condition to a string.
 */
export class MatchState {
  /** Numbered as in the pattern; undefined before a comparison, null after a failed one. */
  match: RegExpExecArray | null | undefined = undefined

  /** The text of a group; empty if it is unset or does not exist. */
  group(number: number): string {
    return this.match?.[number] ?? ''
  }
}
