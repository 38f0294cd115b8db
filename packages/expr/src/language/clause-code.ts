import { leadingInteger } from '../builtin/integers.ts'
import type { MatchState } from '../match-state.ts'
import type { Clause, Comparison, Word } from './nodes.ts'
import { type CompiledWord, compileWord, DEEPEST_EVALUATION, runnable, tooDeep } from './word-code.ts'

export type ClauseCode<R> = (request: R, match: MatchState | undefined) => boolean

/** A compiled condition: its value if already known, otherwise code. */
export type CompiledClause<R> = { readonly constant: boolean } | { readonly constant: undefined; readonly run: ClauseCode<R> }

/** Lists with at least this many constants are converted to a set. */
const LARGE_LIST = 8

/**
 * `level` is the depth that httpd's evaluator would have here: one more for the words of a comparison and for
 * every operand of and/or except the last.
 */
export function compileClause<R>(clause: Clause<R>, level: number): CompiledClause<R> {
  if (level > DEEPEST_EVALUATION) return code(tooDeep)
  switch (clause.kind) {
    case 'constant':
      return { constant: clause.value }
    case 'not': {
      const inner = compileClause(clause.clause, level)
      if (inner.constant !== undefined) return { constant: !inner.constant }
      const { run } = inner
      return code((request, match) => !run(request, match))
    }
    case 'all':
    case 'any':
      return compileJunction(clause.kind, clause.clauses, level)
    case 'strings':
      return compileStrings(clause.operator, compileWord(clause.left, level + 1), compileWord(clause.right, level + 1))
    case 'integers':
      return compileIntegers(clause.operator, compileWord(clause.left, level + 1), compileWord(clause.right, level + 1))
    case 'byLength':
      return compileByLength(clause.operator, compileWord(clause.left, level + 1), compileWord(clause.right, level + 1))
    case 'match':
      return compileMatch(clause, compileWord(clause.word, level + 1))
    case 'member':
      return compileMember(compileWord(clause.word, level + 1), clause.list, level + 1)
    case 'listMember': {
      const { list } = clause
      const word = runnable(compileWord(clause.word, level + 1))
      const argument = runnable(compileWord(clause.argument, level + 1))
      return code((request, match) => {
        const text = word(request, match)
        return list(request, argument(request, match)).includes(text)
      })
    }
    case 'test': {
      const { test } = clause
      return code((request) => test(request))
    }
    case 'unary': {
      const { test } = clause
      const argument = runnable(compileWord(clause.argument, level + 1))
      return code((request, match) => test(request, argument(request, match)))
    }
    case 'binary': {
      const { test } = clause
      const left = runnable(compileWord(clause.left, level + 1))
      const right = runnable(compileWord(clause.right, level + 1))
      return code((request, match) => {
        const second = right(request, match)
        return test(request, left(request, match), second)
      })
    }
    case 'boundBinary': {
      const { test } = clause
      const left = runnable(compileWord(clause.left, level + 1))
      return code((request, match) => test(request, left(request, match)))
    }
  }
}

function compileJunction<R>(kind: 'all' | 'any', clauses: readonly Clause<R>[], level: number): CompiledClause<R> {
  const decisive = kind === 'any'
  const codes: ClauseCode<R>[] = []
  for (const [index, clause] of clauses.entries()) {
    const compiled = compileClause(clause, index === clauses.length - 1 ? level : level + 1)
    if (compiled.constant === undefined) codes.push(compiled.run)
    else if (compiled.constant === decisive) {
      if (codes.length === 0) return { constant: decisive }
      codes.push(() => decisive)
      break
    }
  }
  if (codes.length === 0) return { constant: !decisive }
  if (codes.length === 1) return code(codes[0])
  if (codes.length === 2) {
    const [first, second] = codes
    if (decisive) return code((request, match) => first(request, match) || second(request, match))
    return code((request, match) => first(request, match) && second(request, match))
  }
  return code((request, match) => {
    for (const run of codes) if (run(request, match) === decisive) return decisive
    return !decisive
  })
}

/** httpd evaluates the right side first, which determines the order of the names in Vary. */
function compileStrings<R>(operator: Comparison, left: CompiledWord<R>, right: CompiledWord<R>): CompiledClause<R> {
  const a = runnable(left)
  const { constant } = right
  if (constant !== undefined && operator === 'eq') return code((request, match) => a(request, match) === constant)
  if (constant !== undefined && operator === 'ne') return code((request, match) => a(request, match) !== constant)
  const b = runnable(right)
  const holds = STRING_TESTS[operator]
  return code((request, match) => {
    const second = b(request, match)
    return holds(a(request, match), second)
  })
}

const STRING_TESTS: Readonly<Record<Comparison, (a: string, b: string) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
}

/** Where one text is longer than the other its length decides, otherwise its bytes. */
function compileByLength<R>(operator: Comparison, left: CompiledWord<R>, right: CompiledWord<R>): CompiledClause<R> {
  if (operator === 'eq' || operator === 'ne') return compileStrings(operator, left, right)
  const a = runnable(left)
  const b = runnable(right)
  const holds = STRING_TESTS[operator]
  return code((request, match) => {
    const second = b(request, match)
    const first = a(request, match)
    if (first.length === second.length) return holds(first, second)
    return first.length < second.length === (operator === 'lt' || operator === 'le')
  })
}

function compileIntegers<R>(operator: Comparison, left: CompiledWord<R>, right: CompiledWord<R>): CompiledClause<R> {
  const a = integerCode(left)
  const b = integerCode(right)
  const holds = INTEGER_TESTS[operator]
  return code((request, match) => {
    const second = b(request, match)
    return holds(a(request, match), second)
  })
}

/** `===` is false for a number and a bigint of the same value. */
const INTEGER_TESTS: Readonly<Record<Comparison, (a: number | bigint, b: number | bigint) => boolean>> = {
  eq: (a, b) => !(a < b) && !(a > b),
  ne: (a, b) => a < b || a > b,
  lt: (a, b) => a < b,
  le: (a, b) => !(a > b),
  gt: (a, b) => a > b,
  ge: (a, b) => !(a < b),
}

function integerCode<R>(word: CompiledWord<R>): (request: R, match: MatchState | undefined) => number | bigint {
  if (word.constant === undefined) {
    const { run } = word
    return (request, match) => leadingInteger(run(request, match))
  }
  const value = leadingInteger(word.constant)
  return () => value
}

/**
 * A pattern without groups leaves `$0` to `$9` unchanged. A pattern with groups sets them, or clears them if
 * it does not match.
 */
function compileMatch<R>(clause: Extract<Clause<R>, { kind: 'match' }>, word: CompiledWord<R>): CompiledClause<R> {
  const { pattern } = clause
  const run = runnable(word)
  const found = clause.sense === 'found'
  if (clause.groups === 0) return code((request, match) => pattern.test(run(request, match)) === found)
  return code((request, match) => {
    const text = run(request, match)
    if (match === undefined) return pattern.test(text) === found
    match.match = pattern.exec(text)
    return (match.match !== null) === found
  })
}

function compileMember<R>(word: CompiledWord<R>, list: readonly Word<R>[], level: number): CompiledClause<R> {
  const run = runnable(word)
  const compiled = list.map((item) => compileWord(item, level))
  const constants = compiled.flatMap((item) => (item.constant === undefined ? [] : [item.constant]))
  if (constants.length < compiled.length) {
    // httpd stores a list in reverse order.
    const items = compiled.map(runnable).reverse()
    return code((request, match) => {
      const text = run(request, match)
      for (const item of items) if (item(request, match) === text) return true
      return false
    })
  }
  if (constants.length < LARGE_LIST) return code((request, match) => constants.includes(run(request, match)))
  const set = new Set(constants)
  return code((request, match) => set.has(run(request, match)))
}

function code<R>(run: ClauseCode<R>): CompiledClause<R> {
  return { constant: undefined, run }
}
