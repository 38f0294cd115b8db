import { boundedPattern } from './bounded-pattern.ts'

/**
 * In bytes. Longer than nearly all URLs and header lines; quadratic time for this length is some tens of
 * milliseconds.
 */
const LONGEST_TEXT = 4096

/**
 * A RegExp that is too slow for long texts because its time is quadratic in their length: such texts use the
 * bounded form of the pattern.
 */
export class LongTextPattern extends RegExp {
  readonly #pattern: RegExp
  readonly #helpers: number
  readonly #written: string
  #bounded: RegExp | undefined

  /** The parameters are the same as for boundedPattern. */
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
