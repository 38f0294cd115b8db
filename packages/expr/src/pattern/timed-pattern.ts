import { type Context, createContext, Script } from 'node:vm'
import { ExprRuntimeError } from '../expr-error.ts'

/** In milliseconds. A match that is worth waiting for takes some microseconds, and everybody else waits for it. */
const LONGEST_MATCH = 100

/** How many matches were timed in this process: each may have taken long, which is what those who share the time want to know. */
export const timedMatches: { count: number } = { count: 0 }

/**
 * A RegExp whose matching is stopped when it takes too long: nobody knows then whether it matches, and ExprRuntimeError is thrown. Keeping the
 * time costs about 0.2 ms for each match, so this is for the few patterns that need it.
 */
export class TimedPattern extends RegExp {
  readonly #pattern: RegExp
  readonly #written: string
  readonly #context: Context & { match?: () => unknown } = createContext({})

  /** @param written the pattern as people know it, for the message */
  constructor(pattern: RegExp, written: string) {
    super(pattern.source)
    this.#pattern = pattern
    this.#written = written
  }

  override exec(text: string): RegExpExecArray | null {
    return this.#timed(() => this.#pattern.exec(text))
  }

  override test(text: string): boolean {
    return this.#timed(() => this.#pattern.test(text))
  }

  #timed<T>(match: () => T): T {
    let result: { readonly value: T } | undefined
    timedMatches.count++
    this.#context.match = () => {
      result = { value: match() }
    }
    try {
      CALL.runInContext(this.#context, { timeout: LONGEST_MATCH })
    } catch (error) {
      if (!isTimeout(error)) throw error
    }
    if (result === undefined)
      throw new ExprRuntimeError(`Regular expression '${this.#written}' took longer than ${LONGEST_MATCH} ms`)
    return result.value
  }
}

const CALL = new Script('match()')

/** The error is one of the other context, and no instance of this one's Error. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
