import { ExprRuntimeError } from '../expr-error.ts'
import type { MatchState } from '../match-state.ts'
import type { Word } from './nodes.ts'

/** A word made ready to run. `match` is given whenever the expression holds a back reference. */
export type WordCode<R> = (request: R, match: MatchState | undefined) => string

/** A compiled word: its text when that is known already, else code. */
export type CompiledWord<R> = { readonly constant: string } | { readonly constant: undefined; readonly run: WordCode<R> }

/**
 * httpd gives up when its evaluator nests deeper than this. The depth of every node is known when the expression is compiled,
 * so that nodes below the limit become code that throws and the rest needs no counter.
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
      return compileConcat(word.parts, level)
  }
}

/** The word as code, also when it is constant. */
export function runnable<R>(word: CompiledWord<R>): WordCode<R> {
  if (word.constant === undefined) return word.run
  const { constant } = word
  return () => constant
}

/** As in httpd two parts are evaluated from the first to the last, and more from the last to the first: names in Vary show it. */
function compileConcat<R>(words: readonly Word<R>[], level: number): CompiledWord<R> {
  const parts = compileParts(words, level)
  const forwards = words.length === 2 && words.every((word) => word.kind !== 'concat')
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
  if (forwards) {
    const [first, second] = codes
    return code((request, match) => first(request, match) + second(request, match))
  }
  codes.reverse()
  return code((request, match) => {
    let text = ''
    for (const run of codes) text = run(request, match) + text
    return text
  })
}

/** The parts, with those of a concatenation that stands first among them. */
function compileParts<R>([first, ...others]: readonly Word<R>[], level: number): CompiledWord<R>[] {
  const rest = others.map((part) => compileWord(part, level + 1))
  if (first.kind !== 'concat') return [compileWord(first, level + 1), ...rest]
  return [...compileParts(first.parts, level + 1), ...rest]
}

function code<R>(run: WordCode<R>): CompiledWord<R> {
  return { constant: undefined, run }
}
