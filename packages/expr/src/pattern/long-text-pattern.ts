import { boundedPattern } from './bounded-pattern.ts'

/** In bytes. Longer than nearly all URLs and header lines; the square of it is some tens of milliseconds. */
const LONGEST_TEXT = 4096

/** A RegExp for which the square of the text's length is too much when the text is long: such texts are given to the bounded form of the pattern. */
export class LongTextPattern extends RegExp {
  readonly #pattern: RegExp
  readonly #helpers: number
  readonly #written: string
  #bounded: RegExp | undefined

  /** The parameters are those of boundedPattern. */
  constructor(pattern: RegExp, helpers: number, written: string) {
    super(pattern.source)
    this.#pattern = pattern
    this.#helpers = helpers
    this.#written = written
  }

  override exec(text: string): RegExpExecArray | null {
    return this.#fitting(text).exec(text)
  }

  override test(text: string): boolean {
    return this.#fitting(text).test(text)
  }

  #fitting(text: string): RegExp {
    if (text.length <= LONGEST_TEXT) return this.#pattern
    return (this.#bounded ??= boundedPattern(this.#pattern, this.#helpers, this.#written))
  }
}
