import type { ExprSyntaxError } from './expr-error.ts'
import { Parser } from './language/parser.ts'
import { ExprRefusal } from './language/refusal.ts'
import { compileWord, runnable, type WordCode } from './language/word-code.ts'
import type { MatchState } from './match-state.ts'
import type { ExprOptions } from './options.ts'

export interface StringTemplate<R> {
  /**
   * The text for the request. `$0` to `$9` are those of `match`, or empty without it. Throws as
   * Condition.evaluate does.
   */
  evaluate(request: R, match?: MatchState): string
  /** Names of the variables used, in upper case. */
  readonly mentions: ReadonlySet<string>
  /** The text, if it does not depend on the request. */
  readonly constant: string | undefined
}

/**
 * Parses a text with `%{...}`, `$n` and backslash escapes, as in `Require user` and AuthName, and compiles it. Quotes are
 * literal.
 */
export function parseString<R>(source: string, options: ExprOptions<R>): StringTemplate<R> | ExprSyntaxError {
  try {
    const parser = new Parser(source, 'string', options)
    const word = compileWord(parser.string(), STRING_LEVEL)
    return new CompiledTemplate(runnable(word), word.constant, parser.resolver.mentions)
  } catch (error) {
    if (error instanceof ExprRefusal) return error.refused
    throw error
  }
}

/** httpd's evaluator starts a string at the depth of a comparison's words. */
const STRING_LEVEL = 2

class CompiledTemplate<R> implements StringTemplate<R> {
  readonly constant: string | undefined
  readonly mentions: ReadonlySet<string>
  readonly #run: WordCode<R>

  constructor(run: WordCode<R>, constant: string | undefined, mentions: ReadonlySet<string>) {
    this.#run = run
    this.constant = constant
    this.mentions = mentions
  }

  evaluate(request: R, match?: MatchState): string {
    return this.#run(request, match)
  }
}
