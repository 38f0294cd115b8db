/** A RegExp that first looks for what every match contains, as PCRE does: a text without it is not matched at length in vain. */
export class CheckedPattern extends RegExp {
  readonly #pattern: RegExp
  readonly #required: RegExp

  /** @param required fits somewhere in every text that `pattern` matches */
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
