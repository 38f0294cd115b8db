import { type Context, createContext, Script } from 'node:vm'
import { ExprRuntimeError } from '../expr-error.ts'

/** In milliseconds. A useful match takes microseconds, and it blocks every other request. */
const LONGEST_MATCH = 100

/**
 * The number of timed matches in this process. Each may have taken long, which callers that share a time
 * budget need to know.
 */
export const timedMatches: { count: number } = { count: 0 }

/**
 * A RegExp whose match is stopped if it takes too long. The result is then unknown, and ExprRuntimeError is
 * thrown. The timer costs about 0.2 ms per match, so this is for the few patterns that need it.
 */
export class TimedPattern extends RegExp {
  readonly #pattern: RegExp
  readonly #written: string
  readonly #context: Context & { match?: () => unknown } = createContext({})

  /** @param written the pattern as written in the configuration, for the message */
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

/** The error belongs to the other context, so it is not an instance of this context's Error. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
