/**
 * A RegExp that first searches for a text that every match contains, as PCRE does. A subject without that
 * text skips the expensive match.
 */
export class CheckedPattern extends RegExp {
  readonly #pattern: RegExp
  readonly #required: RegExp

  /** @param required matches somewhere in every text that `pattern` matches */
  constructor(pattern: RegExp, required: RegExp) {
    super(pattern.source)
    this.#pattern = pattern
    this.#required = required
  }

  override exec(text: string): RegExpExecArray | null {
    return this.#required.test(text) ? this.#pattern.exec(text) : null
  }

  override test(text: string): boolean {
    return this.#required.test(text) && this.#pattern.test(text)
  }
}
