import fc from 'fast-check'
import t from 'tap'
import {
  compilePattern,
  ExprRuntimeError,
  ExprSyntaxError,
  fnmatch,
  PatternError,
  parseCondition,
  parseString,
} from '../src/index.ts'
import { condition, toyOptions, toyRequest } from './support/toy-lookup.ts'

const runs = { numRuns: 500 }

/** Text made of pieces of the language, so that much of it passes the tokenizer. */
const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '(',
        ')',
        '{',
        '}',
        ',',
        '.',
        '==',
        '=~',
        '!~',
        '!',
        '&&',
        '||',
        '%{',
        '}',
        '%{HTTPS}',
        '$1',
        ' ',
        '-n ',
        '-in',
      ),
      fc.constantFrom(
        'true',
        'false',
        'and',
        'or',
        'not',
        'in',
        'eq',
        '/a/',
        'm#(b)#i',
        '/(/',
        'tolower(',
        "'a'",
        '1',
        '\\',
        '\\101',
        ':',
        'x',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((list) => list.join(''))

t.test('parsing and evaluating random text never throws but with a run-time error', async (t) => {
  fc.assert(
    fc.property(pieces, (source) => {
      for (const parsed of [parseCondition(source, toyOptions), parseString(source, toyOptions)]) {
        if (parsed instanceof ExprSyntaxError) {
          if (parsed.message === '') return false
          continue
        }
        try {
          parsed.evaluate(toyRequest)
        } catch (error) {
          if (!(error instanceof ExprRuntimeError)) throw error
        }
      }
      return true
    }),
    { numRuns: 2000 },
  )
  t.pass('no throw')
})

/** An expression as data, with a separate evaluator. */
type Tree =
  | { op: 'constant'; value: boolean }
  | { op: 'not'; inner: Tree }
  | { op: 'and' | 'or'; left: Tree; right: Tree }
  | { op: '==' | '!=' | '<' | '<=' | '>' | '>='; left: string; right: string }
  | { op: '-eq' | '-ne' | '-lt' | '-le' | '-gt' | '-ge'; left: number; right: number }
  | { op: 'in'; left: string; list: string[] }
  | { op: '-n' | '-z'; text: string }

const text = fc.string({
  unit: fc.constantFrom('a', 'b', "'", '"', '\\', '%', '$', '{', '}', '1', ' ', '\xe9', '\n'),
  maxLength: 6,
})
const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.record({ op: fc.constant('constant' as const), value: fc.boolean() }),
    fc.record({
      op: fc.constantFrom('==' as const, '!=' as const, '<' as const, '<=' as const, '>' as const, '>=' as const),
      left: text,
      right: text,
    }),
    fc.record({
      op: fc.constantFrom('-eq' as const, '-ne' as const, '-lt' as const, '-le' as const, '-gt' as const, '-ge' as const),
      left: fc.integer(),
      right: fc.integer({ min: -3, max: 3 }),
    }),
    fc.record({ op: fc.constant('in' as const), left: text, list: fc.array(text, { minLength: 1, maxLength: 10 }) }),
    fc.record({ op: fc.constantFrom('-n' as const, '-z' as const), text }),
    fc.record({ op: fc.constant('not' as const), inner: tie('tree') }),
    fc.record({ op: fc.constantFrom('and' as const, 'or' as const), left: tie('tree'), right: tie('tree') }),
  ),
})).tree

function evaluate(tree: Tree): boolean {
  switch (tree.op) {
    case 'constant':
      return tree.value
    case 'not':
      return !evaluate(tree.inner)
    case 'and':
      return evaluate(tree.left) && evaluate(tree.right)
    case 'or':
      return evaluate(tree.left) || evaluate(tree.right)
    case 'in':
      return tree.list.includes(tree.left)
    case '-n':
      return tree.text !== ''
    case '-z':
      return tree.text === ''
    case '==':
    case '-eq':
      return tree.left === tree.right
    case '!=':
    case '-ne':
      return tree.left !== tree.right
    case '<':
    case '-lt':
      return tree.left < tree.right
    case '<=':
    case '-le':
      return tree.left <= tree.right
    case '>':
    case '-gt':
      return tree.left > tree.right
    case '>=':
    case '-ge':
      return tree.left >= tree.right
  }
}

const BINDING = { or: 1, and: 2, not: 3 } as const

/** Prints with as few parentheses as operator precedence allows. */
function print(tree: Tree, around: number = 0): string {
  switch (tree.op) {
    case 'constant':
      return String(tree.value)
    case 'not':
      return `not ${print(tree.inner, BINDING.not)}`
    case 'and':
    case 'or': {
      const own = BINDING[tree.op]
      const source = `${print(tree.left, own)} ${tree.op} ${print(tree.right, own)}`
      return own < around ? `(${source})` : source
    }
    case 'in':
      return `${quote(tree.left)} in {${tree.list.map(quote).join(', ')}}`
    case '-n':
    case '-z':
      return `${tree.op} ${quote(tree.text)}`
    default:
      return `${quote(String(tree.left))} ${tree.op} ${quote(String(tree.right))}`
  }
}

/** As a literal, or through a function to prevent constant folding. */
function quote(value: string): string {
  const escaped = value.replace(/["'\\%$]/g, '\\$&').replace(/\n/g, '\\n')
  return value.length % 2 === 0 ? `'${escaped}'` : `"%{EMPTY}${escaped}"`
}

t.test('a printed expression evaluates like the tree that it was printed from', async (t) => {
  fc.assert(
    fc.property(trees, (tree) => condition(print(tree)).evaluate(toyRequest) === evaluate(tree)),
    { numRuns: 1500 },
  )
  t.pass('all equal')
})

t.test('compiling a random pattern never throws, and what compiles is usable', async (t) => {
  const patterns = fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        '.',
        '*',
        '+',
        '?',
        '(',
        ')',
        '(?:',
        '(?>',
        '(?=',
        '(?<n>',
        '[',
        ']',
        '[^',
        '-',
        '|',
        '^',
        '$',
        '\\1',
        '\\d',
        '\\Q',
        '\\E',
        '{2}',
        '{1,}',
        '(?i)',
        '\\',
        '#',
        '\xe9',
      ),
      { maxLength: 16 },
    )
    .map((list) => list.join(''))
  fc.assert(
    fc.property(patterns, fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '\n'), maxLength: 6 }), (source, subject) => {
      const pattern = compilePattern(source)
      if (pattern instanceof PatternError) return pattern.message !== '' && pattern.message !== 'pattern is too large'
      return pattern.test(subject) === (pattern.exec(subject) !== null)
    }),
    { numRuns: 3000 },
  )
  t.pass('no throw')
})

t.test('a shell pattern matches what the equal regular expression matches', async (t) => {
  const items = fc.array(fc.constantFrom('*', '?', 'a', 'b', '/', '.', '[ab]', '[!a]'), { maxLength: 8 })
  const subjects = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 8 })
  const translate: Readonly<Record<string, string>> = { '*': '[^/]*', '?': '[^/]', '.': '\\.', '[!a]': '[^a/]' }
  fc.assert(
    fc.property(items, subjects, (list, subject) => {
      const regexp = new RegExp(`^${list.map((item) => translate[item] ?? item).join('')}$`)
      return fnmatch(list.join(''), { pathname: true }).matches(subject) === regexp.test(subject)
    }),
    { numRuns: 2000 },
  )
  t.pass('all equal')
})

t.test('a string quoted for the language is parsed back unchanged', async (t) => {
  fc.assert(
    fc.property(text, (value) => condition(`${quote(value)} == ${quote(value)}`).evaluate(toyRequest)),
    runs,
  )
  t.pass('all equal')
})
