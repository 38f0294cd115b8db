import type { ExprSyntaxError } from './expr-error.ts'
import { type ClauseCode, compileClause } from './language/clause-code.ts'
import { Parser } from './language/parser.ts'
import { ExprRefusal } from './language/refusal.ts'
import { MatchState } from './match-state.ts'
import type { ExprOptions } from './options.ts'

export interface Condition<R> {
  /**
   * True or false for the request. Throws ExprRuntimeError, and any error that the lookup's functions throw.
   * If `match` is given, it receives the groups of the last regular expression.
   */
  evaluate(request: R, match?: MatchState): boolean
  /** Names of the variables used, in upper case. */
  readonly mentions: ReadonlySet<string>
  /** Letters of the unary operators used that the lookup knows. */
  readonly operators: ReadonlySet<string>
  /** The value, if it does not depend on the request. */
  readonly constant: boolean | undefined
}

/** Parses a boolean expression, as in `<If>` and `Require expr`, and compiles it. */
export function parseCondition<R>(source: string, options: ExprOptions<R>): Condition<R> | ExprSyntaxError {
  try {
    const parser = new Parser(source, 'condition', options)
    const clause = compileClause(parser.condition(), 1)
    const { mentions, operators, references } = parser.resolver
    if (clause.constant !== undefined) return new ConstantCondition(clause.constant, mentions)
    return new CompiledCondition(clause.run, mentions, operators, references.size > 0 ? 'ownState' : 'noState')
  } catch (error) {
    if (error instanceof ExprRefusal) return error.refused
    throw error
  }
}

const NO_OPERATORS: ReadonlySet<string> = new Set()

class ConstantCondition<R> implements Condition<R> {
  readonly constant: boolean
  readonly mentions: ReadonlySet<string>
  readonly operators: ReadonlySet<string> = NO_OPERATORS

  constructor(constant: boolean, mentions: ReadonlySet<string>) {
    this.constant = constant
    this.mentions = mentions
  }

  evaluate(): boolean {
    return this.constant
  }
}

class CompiledCondition<R> implements Condition<R> {
  readonly constant = undefined
  readonly mentions: ReadonlySet<string>
  readonly operators: ReadonlySet<string>
  readonly #run: ClauseCode<R>
  /** Only an expression with back references needs a state of its own if the caller passes none. */
  readonly #state: 'ownState' | 'noState'

  constructor(run: ClauseCode<R>, mentions: ReadonlySet<string>, operators: ReadonlySet<string>, state: 'ownState' | 'noState') {
    this.#run = run
    this.mentions = mentions
    this.operators = operators
    this.#state = state
  }

  evaluate(request: R, match?: MatchState): boolean {
    return this.#run(request, match ?? (this.#state === 'ownState' ? new MatchState() : undefined))
  }
}
