import { type FnmatchOptions, fnmatch } from '../fnmatch.ts'
import type { BinaryOperator, UnaryOperator } from '../lookup.ts'

/** The unary operators that do not need a request, by letter. */
export function builtinUnaryOperator(letter: string): UnaryOperator<unknown> | undefined {
  switch (letter) {
    case 'n':
      return { test: (_request, text) => text !== '' }
    case 'z':
      return { test: (_request, text) => text === '' }
    case 'T':
      return { test: (_request, text) => isTrue(text) }
  }
}

/** The binary operators that do not need a request, by lower-case name. */
export function builtinBinaryOperator(name: string): BinaryOperator<unknown> | undefined {
  switch (name) {
    case 'strmatch':
      return shellPattern({})
    case 'strcmatch':
      return shellPattern({ caseBlind: true })
    case 'fnmatch':
      return shellPattern({ pathname: true })
  }
}

/** True for every text except the empty string, `0`, `off`, `false` and `no`. */
function isTrue(text: string): boolean {
  return text.length > 5 || !/^(?:0|off|false|no|)$/i.test(text)
}

function shellPattern(options: FnmatchOptions): BinaryOperator<unknown> {
  return {
    test: (_request, text, pattern) => fnmatch(pattern, options).matches(text),
    prepare(constant) {
      if (constant === undefined) return undefined
      const matcher = fnmatch(constant, options)
      return (_request, text) => matcher.matches(text)
    },
  }
}
