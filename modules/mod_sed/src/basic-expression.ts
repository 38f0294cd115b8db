import type { Pattern } from '@gatewright/api'

/** A match: its begin and end, and the texts of its groups, the whole match first. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly groups: readonly string[]
}

/** A basic regular expression of sed. */
export class BasicExpression {
  readonly #pattern: Pattern
  readonly #anchored: boolean
  /** Number of its groups. */
  readonly groups: number

  constructor(pattern: Pattern, anchored: boolean, groups: number) {
    this.#pattern = pattern
    this.#anchored = anchored
    this.groups = groups
  }

  /** Whether it matches in the text. */
  test(text: string): boolean {
    return this.#pattern.test(text)
  }

  /** The first match at or after an index; null if there is none. */
  search(text: string, from: number): Match | null {
    if (this.#anchored && from > 0) return null
    const found = this.#pattern.search(from === 0 ? text : text.slice(from))
    if (found === null) return null
    const start = from + found.index
    return { start, end: start + found.groups[0].length, groups: found.groups }
  }
}
