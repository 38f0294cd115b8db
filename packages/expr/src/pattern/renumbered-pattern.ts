/**
 * A RegExp whose matches are numbered as in the PCRE pattern, although its own source contains helper groups.
 * Only patterns with atomic groups need it; it is slower than a plain RegExp.
 */
export class RenumberedPattern extends RegExp {
  readonly #positions: readonly number[]

  /** `positions[n]` is the number that group n has in `source`. */
  constructor(source: string, positions: readonly number[]) {
    super(source)
    this.#positions = positions
  }

  override exec(text: string): RegExpExecArray | null {
    const match = super.exec(text)
    if (match === null) return null
    const positions = this.#positions
    // A group's own number never exceeds its position, so copying in ascending order never reads an
    // overwritten entry.
    for (let group = 1; group < positions.length; group++) match[group] = match[positions[group]]
    match.length = positions.length
    return match
  }

  override test(text: string): boolean {
    return super.exec(text) !== null
  }
}
