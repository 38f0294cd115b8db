import fc from 'fast-check'
import t from 'tap'
import { compilePattern, ExprRuntimeError, PatternError } from '../src/index.ts'
import { parsePattern } from '../src/pattern/pattern-parser.ts'
import { type PatternOptions, PatternReader } from '../src/pattern/pattern-reader.ts'
import { requiredText } from '../src/pattern/required-text.ts'

/** The text that is searched for before a pattern is matched. */
function required(source: string, ignoreCase = false): string | undefined {
  const options: PatternOptions = {
    ignoreCase,
    multiline: false,
    dotAll: true,
    extended: 0,
    ungreedy: false,
    noAutoCapture: false,
    dollarEndOnly: true,
  }
  return requiredText(parsePattern(new PatternReader(source), options))?.source
}

for (const [source, text] of [
  ['(a|b)*c', 'c'],
  ['^/users/(.*)/edit$', '\\/users\\/'],
  ['(.*)\\.(php|cgi)$', '\\.'],
  ['x(?:ab)+y', 'ab'],
  ['x(?:ab){0,3}yz', 'yz'],
  ['(?>ab)c(?=d)\\be', 'abce'],
  ['a(?!b)c', 'ac'],
  ['(a)\\1b', 'b'],
  ['(?i)on(?-i)X', '[Oo][Nn]X'],
  ['[0-9][0-9]-', '[0-9][0-9]-'],
  ['.a.', 'a'],
] as const) {
  t.test(`${source} is looked at only where ${text} is found`, async (t) => {
    t.equal(required(source), text)
  })
}

t.test('there is no required text if no byte is certain, or any byte matches', async (t) => {
  for (const source of ['', 'a*', 'a|b', '(a|bc)?', '.+', '^$', '(?=a)', '(?!a)', '[^a]+', '(a|b)*'])
    t.equal(required(source), undefined, source)
})

/** Patterns of few letters, many of which match short texts of the same letters. */
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'b', 'C', 'ab', '.', '\\d', '[ab]', '[^a]', '^', '$', '\\b', '1'),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
    tie('pattern').map((inner) => `(?>${inner})`),
    tie('pattern').map((inner) => `(?i:${inner})`),
    tie('pattern').map((inner) => `(?=${inner})`),
    tie('pattern').map((inner) => `(?!${inner})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0}', '{1,2}', '{0,2}', '+?', '*?', '*+', '++'))
      .map(([inner, count]) => `(?:${inner})${count}`),
    fc.tuple(tie('pattern'), tie('pattern')).map((both) => `(?:${both.join('|')})`),
  ),
  pattern: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
}))
const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', 'C', '1', '\n'), maxLength: 8 }), {
  minLength: 1,
  maxLength: 10,
})

/** A match that exceeded its limit of time, as on a busy machine: it says nothing about the pattern. */
const TOO_LONG = Symbol('too long')

function resultOf<T>(match: () => T): T | typeof TOO_LONG {
  try {
    return match()
  } catch (error) {
    if (error instanceof ExprRuntimeError) return TOO_LONG
    throw error
  }
}

t.test('every text that a pattern matches contains what is looked for', async (t) => {
  let matched = 0
  fc.assert(
    fc.property(pattern, texts, fc.boolean(), (source, subjects, ignoreCase) => {
      const compiled = compilePattern(source, { ignoreCase })
      if (compiled instanceof PatternError) return true
      const plain = new RegExp(compiled.source)
      const part = required(source, ignoreCase)
      return subjects.every((subject) => {
        const match = plain.exec(subject)
        if (match !== null && part !== undefined) matched++
        const found = resultOf(() => compiled.exec(subject))
        const tested = resultOf(() => compiled.test(subject))
        return (
          (match === null || part === undefined || new RegExp(part).test(subject)) &&
          (tested === TOO_LONG || tested === (match !== null)) &&
          (found === TOO_LONG || found?.[0] === match?.[0])
        )
      })
    }),
    { numRuns: 1500 },
  )
  t.ok(matched > 100, `${matched} matches with something to look for`)
})

t.test('a long text without what every match contains is not matched at length', async (t) => {
  const evil = compilePattern('^(a+)+(?=.)b')
  if (evil instanceof PatternError) throw new Error(evil.message)
  t.equal(evil.test(`${'a'.repeat(8000)}c`), false, 'without the check nobody would know within the time for one match')
  t.throws(() => evil.test(`${'a'.repeat(8000)}cb`), /took longer than/)
  t.equal(evil.exec('aab')?.[1], 'aa')
})
