import { ExprRuntimeError } from '../expr-error.ts'
import type { MatchState } from '../match-state.ts'
import type { Word } from './nodes.ts'

/** A compiled word. `match` is given if the expression contains a back reference. */
export type WordCode<R> = (request: R, match: MatchState | undefined) => string

/** A compiled word: its text if already known, otherwise code. */
export type CompiledWord<R> = { readonly constant: string } | { readonly constant: undefined; readonly run: WordCode<R> }

/**
 * httpd stops when its evaluator nests deeper than this. The depth of every node is known at compile time, so
 * nodes below the limit compile to code that throws, and the others do not need a counter.
 */
export const DEEPEST_EVALUATION = 20

export function tooDeep(): never {
  throw new ExprRuntimeError('Recursion limit reached')
}

export function compileWord<R>(word: Word<R>, level: number): CompiledWord<R> {
  if (level > DEEPEST_EVALUATION) return code(tooDeep)
  switch (word.kind) {
    case 'text':
    case 'digits':
      return { constant: word.text }
    case 'variable': {
      const { value } = word
      return code((request) => value(request))
    }
    case 'reference': {
      const { group } = word
      return code((_request, match) => (match === undefined ? '' : match.group(group)))
    }
    case 'pureCall': {
      const { call } = word
      const argument = compileWord(word.argument, level + 1)
      if (argument.constant !== undefined) return { constant: call(argument.constant) }
      const { run } = argument
      return code((request, match) => call(run(request, match)))
    }
    case 'call': {
      const { definition } = word
      const argument = compileWord(word.argument, level + 1)
      if (argument.constant === undefined) {
        const { run } = argument
        return code((request, match) => definition.call(request, run(request, match)))
      }
      const { constant } = argument
      const prepared = definition.prepare?.(constant)
      if (prepared !== undefined) return code((request) => prepared(request))
      return code((request) => definition.call(request, constant))
    }
    case 'concat':
      return compileConcat(word, level)
  }
}

/** The word as code, even if it is constant. */
export function runnable<R>(word: CompiledWord<R>): WordCode<R> {
  if (word.constant === undefined) return word.run
  const { constant } = word
  return () => constant
}

function compileConcat<R>(word: Concat<R>, level: number): CompiledWord<R> {
  const { words, order } = inOrder(word)
  const parts = words.map((part) => compileWord(part, level + 1))
  const merged: CompiledWord<R>[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (part.constant !== undefined && last?.constant !== undefined)
      merged[merged.length - 1] = { constant: last.constant + part.constant }
    else merged.push(part)
  }
  if (merged.length === 0) return { constant: '' }
  if (merged.length === 1) return merged[0]
  const codes = merged.map(runnable)
  if (order === 'forwards') {
    return code((request, match) => {
      let text = ''
      for (const run of codes) text += run(request, match)
      return text
    })
  }
  codes.reverse()
  return code((request, match) => {
    let text = ''
    for (const run of codes) text = run(request, match) + text
    return text
  })
}

type Concat<R> = Extract<Word<R>, { kind: 'concat' }>

/**
 * The words that httpd evaluates in sequence in one step, and the end at which it starts. httpd follows a
 * chain of pairs to the left, backwards, or if there is none to the right. The order determines the names in
 * Vary; the number of steps counts towards the nesting limit.
 */
function inOrder<R>(word: Concat<R>): { readonly words: readonly Word<R>[]; readonly order: 'forwards' | 'backwards' } {
  if (word.parts.length < 2) return { words: word.parts, order: 'forwards' }
  const words: Word<R>[] = []
  let [left, right] = pairOf(word)
  if (left.kind === 'concat') {
    for (;;) {
      words.push(right)
      if (left.kind !== 'concat') break
      ;[left, right] = pairOf(left)
    }
    words.push(left)
    return { words: words.reverse(), order: 'backwards' }
  }
  for (;;) {
    words.push(left)
    if (right.kind !== 'concat') break
    ;[left, right] = pairOf(right)
  }
  words.push(right)
  return { words, order: 'forwards' }
}

function pairOf<R>({ from, parts }: Concat<R>): readonly [Word<R>, Word<R>] {
  if (parts.length <= 2) return [parts[0], parts[1]]
  if (from === 'left') return [{ kind: 'concat', from, parts: parts.slice(0, -1) }, parts[parts.length - 1]]
  return [parts[0], { kind: 'concat', from, parts: parts.slice(1) }]
}

function code<R>(run: WordCode<R>): CompiledWord<R> {
  return { constant: undefined, run }
}
