import type { ExprOptions } from '../options.ts'
import type { Clause, Comparison, Word } from './nodes.ts'
import { ExprRefusal } from './refusal.ts'
import { Resolver } from './resolver.ts'
import type { Token, TokenKind } from './token.ts'
import { Tokenizer } from './tokenizer.ts'

/**
 * Maximum nesting of parentheses, functions and `%{function:...}`. httpd runs out of memory at a much greater
 * depth and reports the same text.
 */
const DEEPEST_NESTING = 500

const INTEGER_OPERATORS: ReadonlyMap<TokenKind, Comparison> = new Map<TokenKind, Comparison>([
  ['T_OP_EQ', 'eq'],
  ['T_OP_NE', 'ne'],
  ['T_OP_LT', 'lt'],
  ['T_OP_LE', 'le'],
  ['T_OP_GT', 'gt'],
  ['T_OP_GE', 'ge'],
])

const STRING_OPERATORS: ReadonlyMap<TokenKind, Comparison> = new Map<TokenKind, Comparison>([
  ['T_OP_STR_EQ', 'eq'],
  ['T_OP_STR_NE', 'ne'],
  ['T_OP_STR_LT', 'lt'],
  ['T_OP_STR_LE', 'le'],
  ['T_OP_STR_GT', 'gt'],
  ['T_OP_STR_GE', 'ge'],
])

/** The tokens that may follow a piece of string text, in the order in which httpd lists them. */
const STRING_GOES_ON: Readonly<Record<'T_STR_END' | 'T_VAR_END' | '$end', string>> = {
  T_STR_END: 'T_STRING or T_REGEX_BACKREF or T_STR_END or T_VAR_BEGIN',
  T_VAR_END: 'T_STRING or T_REGEX_BACKREF or T_VAR_BEGIN or T_VAR_END',
  $end: '$end',
}

/**
 * A recursive descent parser of httpd's expression grammar with one token of look-ahead. Errors are thrown as
 * ExprRefusal with httpd's texts; the lists of expected tokens are those that httpd prints.
 */
export class Parser<R> {
  readonly resolver: Resolver<R>
  readonly #tokenizer: Tokenizer
  readonly #comparisons: 'usual' | 'by length'
  #token: Token
  #depth = 0

  constructor(source: string, mode: 'condition' | 'string', options: ExprOptions<R>) {
    this.resolver = new Resolver(options)
    this.#comparisons = options.comparisons ?? 'usual'
    this.#tokenizer = new Tokenizer(source, mode)
    this.#token = this.#tokenizer.next()
  }

  condition(): Clause<R> {
    const clause = this.#clause()
    if (this.#token.kind !== '$end') this.#unexpected('$end')
    this.resolver.finish()
    return clause
  }

  string(): Word<R> {
    const word: Word<R> = this.#token.kind === '$end' ? { kind: 'text', text: '' } : this.#string('$end')
    this.resolver.finish()
    return word
  }

  /** Alternatives of conjunctions of negations, in one frame so that nesting uses little stack. */
  #clause(): Clause<R> {
    const alternatives: Clause<R>[] = []
    let conjunction: Clause<R>[] = []
    for (;;) {
      let negated = false
      while (this.#skip('T_OP_NOT')) negated = !negated
      const operand = this.#operand()
      conjunction.push(negated ? { kind: 'not', clause: operand } : operand)
      if (this.#skip('T_OP_AND')) continue
      alternatives.push(joined('all', conjunction))
      if (!this.#skip('T_OP_OR')) return joined('any', alternatives)
      conjunction = []
    }
  }

  #operand(): Clause<R> {
    const token = this.#token
    switch (token.kind) {
      case 'T_ERROR':
        throw new ExprRefusal(token.text)
      case 'T_TRUE':
      case 'T_FALSE':
        this.#advance()
        return { kind: 'constant', value: token.kind === 'T_TRUE' }
      case "'('": {
        this.#advance()
        this.#descend()
        const clause = this.#clause()
        this.#depth--
        this.#expect("')'", "T_OP_OR or T_OP_AND or ')'")
        return clause
      }
      case 'T_OP_UNARY': {
        this.#advance()
        const word = this.#word()
        return this.#operator(() => this.resolver.unary(token.text, word))
      }
    }
    return this.#comparison(this.#word())
  }

  #comparison(left: Word<R>): Clause<R> {
    const { kind, text } = this.#token
    const integers = INTEGER_OPERATORS.get(kind)
    const strings = STRING_OPERATORS.get(kind)
    if (integers !== undefined || strings !== undefined) {
      this.#advance()
      const right = this.#word()
      const operator = integers ?? strings ?? 'eq'
      if (this.#comparisons === 'by length') return { kind: 'byLength', operator, left, right }
      if (integers !== undefined) return { kind: 'integers', operator, left, right }
      return { kind: 'strings', operator, left, right }
    }
    switch (kind) {
      case 'T_OP_BINARY': {
        this.#advance()
        const right = this.#word()
        return this.#operator(() => this.resolver.binary(text, left, right))
      }
      case 'T_OP_REG':
      case 'T_OP_NRE':
        this.#advance()
        return this.#match(left, kind === 'T_OP_REG' ? 'found' : 'missing')
      case 'T_OP_IN':
        this.#advance()
        return this.#membership(left)
    }
    return this.#unexpected()
  }

  /**
   * httpd looks an operator up when it has seen the token after its words: if neither can be read, it reports
   * the operator.
   */
  #operator(resolve: () => Clause<R>): Clause<R> {
    const { complaint: before } = this.resolver
    this.resolver.complaint = undefined
    const clause = resolve()
    const { complaint } = this.resolver
    if (complaint === undefined) this.resolver.complaint = before
    else if (this.#token.kind === 'T_ERROR') this.#token = { ...this.#token, text: complaint }
    return clause
  }

  #match(word: Word<R>, sense: 'found' | 'missing'): Clause<R> {
    const { kind, text } = this.#token
    if (kind !== 'T_REGEX' && kind !== 'T_REGEX_I') this.#unexpected('T_REGEX or T_REGEX_I')
    const clause = this.resolver.match(word, sense, text, kind === 'T_REGEX_I' ? 'either' : 'exact')
    this.#advance()
    return clause
  }

  #membership(word: Word<R>): Clause<R> {
    const { kind, text } = this.#token
    if (kind === 'T_ID') {
      this.#advance()
      return this.resolver.listFunction(text, word, this.#argument())
    }
    this.#expect("'{'", "T_ID or '{'")
    const list: Word<R>[] = []
    do list.push(this.#word())
    while (this.#skip("','"))
    this.#expect("'}'", "'}' or ','")
    return { kind: 'member', word, list }
  }

  #word(): Word<R> {
    const first = this.#atom()
    if (this.#token.kind !== 'T_OP_CONCAT') return first
    const parts = [first]
    while (this.#skip('T_OP_CONCAT')) parts.push(this.#atom())
    return { kind: 'concat', from: 'right', parts }
  }

  #atom(): Word<R> {
    const { kind, text } = this.#token
    switch (kind) {
      case 'T_DIGIT':
        this.#advance()
        return { kind: 'digits', text }
      case 'T_REGEX_BACKREF':
        this.#advance()
        return this.resolver.reference(Number(text))
      case 'T_VAR_BEGIN':
        this.#advance()
        return this.#variable()
      case 'T_STR_BEGIN': {
        this.#advance()
        const word: Word<R> = this.#token.kind === 'T_STR_END' ? { kind: 'text', text: '' } : this.#string('T_STR_END')
        this.#advance()
        return word
      }
      case 'T_ID':
        this.#advance()
        return this.resolver.stringFunction(text, this.#argument())
    }
    return this.#unexpected()
  }

  /** `(word)` after the name of a function. */
  #argument(): Word<R> {
    this.#expect("'('", "'('")
    this.#descend()
    const word = this.#word()
    this.#depth--
    this.#expect("')'", "T_OP_CONCAT or ')'")
    return word
  }

  /** The rest of `%{name}` or `%{function:text}`. */
  #variable(): Word<R> {
    const { kind, text } = this.#token
    if (kind !== 'T_ID') this.#unexpected('T_ID')
    this.#advance()
    if (this.#skip('T_VAR_END')) return this.resolver.variable(text)
    this.#expect("':'", "T_VAR_END or ':'")
    this.#descend()
    const argument = this.#string('T_VAR_END')
    this.#depth--
    this.#advance()
    return this.resolver.stringFunction(text, argument)
  }

  /** Text with at least one variable or back reference, up to `end`, which remains the current token. */
  #string(end: 'T_STR_END' | 'T_VAR_END' | '$end'): Word<R> {
    if (this.#token.kind === 'T_ERROR') throw new ExprRefusal(this.#token.text)
    const parts: Word<R>[] = []
    do
      parts.push(
        this.#stringPart(parts.length === 0 ? 'T_ERROR or T_STRING or T_REGEX_BACKREF or T_VAR_BEGIN' : STRING_GOES_ON[end]),
      )
    while (this.#token.kind !== end)
    return parts.length === 1 ? parts[0] : { kind: 'concat', from: 'left', parts }
  }

  #stringPart(expected: string): Word<R> {
    const { kind, text } = this.#token
    if (kind !== 'T_STRING' && kind !== 'T_REGEX_BACKREF' && kind !== 'T_VAR_BEGIN') this.#unexpected(expected)
    this.#advance()
    if (kind === 'T_STRING') return { kind: 'text', text }
    return kind === 'T_REGEX_BACKREF' ? this.resolver.reference(Number(text)) : this.#variable()
  }

  #advance(): void {
    this.#token = this.#tokenizer.next()
  }

  #skip(kind: TokenKind): boolean {
    if (this.#token.kind !== kind) return false
    this.#advance()
    return true
  }

  #expect(kind: TokenKind, expected: string): void {
    if (!this.#skip(kind)) this.#unexpected(expected)
  }

  #descend(): void {
    if (++this.#depth > DEEPEST_NESTING) throw new ExprRefusal('memory exhausted')
  }

  #unexpected(expected?: string): never {
    const { kind, text } = this.#token
    const reason = kind === 'T_ERROR' ? text : this.resolver.complaint
    const list = expected === undefined ? '' : `, expecting ${expected}`
    throw new ExprRefusal(`syntax error, unexpected ${kind}${list}${reason === undefined ? '' : `: ${reason}`}`)
  }
}

function joined<R>(kind: 'all' | 'any', clauses: readonly Clause<R>[]): Clause<R> {
  return clauses.length === 1 ? clauses[0] : { kind, clauses }
}
