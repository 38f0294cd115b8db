import { builtinBinaryOperator, builtinUnaryOperator } from '../builtin/operators.ts'
import { builtinStringFunction } from '../builtin/string-functions.ts'
import type { BinaryOperator, UnaryOperator } from '../lookup.ts'
import type { ExprOptions } from '../options.ts'
import { compilePattern } from '../pattern/compile-pattern.ts'
import { PatternError } from '../pattern/pattern-error.ts'
import { patternGroups } from '../pattern/pattern-groups.ts'
import type { Clause, Word } from './nodes.ts'
import { ExprRefusal } from './refusal.ts'

/** Placeholder for a name that could not be resolved; the expression is then rejected. Not a literal. */
const NOTHING = { kind: 'concat', from: 'left', parts: [] } as const
const NEVER = { kind: 'constant', value: false } as const

/**
 * Resolves names while an expression is parsed. An unknown name does not end the parse: like httpd, the
 * resolver reports the last such error at the end, or after the first syntax error.
 */
export class Resolver<R> {
  readonly mentions: Set<string> = new Set()
  /** Letters of the unary operators that are not built in. */
  readonly operators: Set<string> = new Set()
  readonly references: Set<number> = new Set()
  complaint: string | undefined
  readonly #options: ExprOptions<R>
  readonly #patterns: RegExp[] = []

  constructor(options: ExprOptions<R>) {
    this.#options = options
  }

  variable(name: string): Word<R> {
    const upper = name.toUpperCase()
    const value = this.#options.lookup.variable(upper)
    if (value === undefined) return this.#complain(`Variable '${name}' does not exist`, NOTHING)
    this.mentions.add(upper)
    return { kind: 'variable', value }
  }

  reference(group: number): Word<R> {
    this.references.add(group)
    return { kind: 'reference', group }
  }

  stringFunction(name: string, argument: Word<R>): Word<R> {
    const lower = name.toLowerCase()
    const call = builtinStringFunction(lower)
    if (call !== undefined) return { kind: 'pureCall', call, argument }
    const definition = this.#options.lookup.stringFunction(lower)
    if (definition === undefined) return this.#complain(`Function '${name}' does not exist`, NOTHING)
    if (definition.restricted && (this.#options.context ?? 'unrestricted') !== 'unrestricted') {
      return this.#complain(`${lower} not available in restricted context`, NOTHING)
    }
    return { kind: 'call', definition, argument }
  }

  listFunction(name: string, word: Word<R>, argument: Word<R>): Clause<R> {
    const list = this.#options.lookup.listFunction(name.toLowerCase())
    if (list === undefined) return this.#complain(`List-returning function '${name}' does not exist`, NEVER)
    return { kind: 'listMember', word, list, argument }
  }

  /** `name` with its hyphen. */
  unary(name: string, argument: Word<R>): Clause<R> {
    const letter = name.slice(1)
    const builtin: UnaryOperator<R> | undefined = builtinUnaryOperator(letter)
    const operator = builtin ?? this.#options.lookup.unaryOperator(letter)
    if (operator === undefined) return this.#complain(`Unary operator '${name}' does not exist`, NEVER)
    if (operator.restricted === true && this.#options.context === 'page') {
      return this.#complain(`${name} not available in restricted context`, NEVER)
    }
    if (builtin === undefined) this.operators.add(letter)
    const prepared = operator.prepare?.(literal(argument))
    if (typeof prepared === 'string') return this.#complain(prepared, NEVER)
    if (prepared !== undefined) return { kind: 'test', test: prepared }
    return { kind: 'unary', test: operator.test.bind(operator), argument }
  }

  /** `name` with its hyphen. */
  binary(name: string, left: Word<R>, right: Word<R>): Clause<R> {
    const lower = name.slice(1).toLowerCase()
    const operator: BinaryOperator<R> | undefined = builtinBinaryOperator(lower) ?? this.#options.lookup.binaryOperator(lower)
    if (operator === undefined) return this.#complain(`Binary operator '${name}' does not exist`, NEVER)
    const prepared = operator.prepare?.(literal(right))
    if (typeof prepared === 'string') return this.#complain(prepared, NEVER)
    if (prepared !== undefined) return { kind: 'boundBinary', test: prepared, left }
    return { kind: 'binary', test: operator.test.bind(operator), left, right }
  }

  /** A pattern that does not compile ends the parse immediately. */
  match(word: Word<R>, sense: 'found' | 'missing', source: string, cases: 'exact' | 'either'): Clause<R> {
    const flags = this.#options.pattern
    const pattern = compilePattern(source, cases === 'either' ? { ...flags, ignoreCase: true } : flags)
    if (pattern instanceof PatternError) this.#refusePattern(`${pattern.message} (at ${pattern.offset} of '${source}')`)
    this.#patterns.push(pattern)
    return { kind: 'match', sense, word, pattern, groups: patternGroups(pattern).count }
  }

  /**
   * Rejects the expression if a name was not found, or if `$n` refers to a group whose text may differ from
   * PCRE's.
   */
  finish(): void {
    if (this.complaint !== undefined) throw new ExprRefusal(this.complaint)
    for (const pattern of this.#patterns) {
      const groups = patternGroups(pattern)
      for (const number of groups.count === 0 ? [] : this.references) {
        if (groups.unsteady.has(number))
          this.#refusePattern(`$${number} would not be certain here: its group may be passed over by a repetition`)
      }
    }
  }

  #refusePattern(hint: string): never {
    const text = 'Failed to compile regular expression'
    throw new ExprRefusal(this.complaint === undefined ? text : `${text}: ${this.complaint}`, hint)
  }

  #complain<T>(text: string, substitute: T): T {
    this.complaint = text
    return substitute
  }
}

/**
 * The text of a word that was written as one literal. As in httpd, a word that was evaluated at parse time is
 * not a literal.
 */
function literal<R>(word: Word<R>): string | undefined {
  return word.kind === 'text' ? word.text : undefined
}
