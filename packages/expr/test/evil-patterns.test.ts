import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { compilePattern, ExprRuntimeError, PatternError, patternGroups } from '../src/index.ts'
import { boundedPattern } from '../src/pattern/bounded-pattern.ts'
import { TimedPattern } from '../src/pattern/timed-pattern.ts'

function compiled(source: string): RegExp {
  const pattern = compilePattern(source)
  if (pattern instanceof PatternError) throw new Error(`${source}: ${pattern.message}`)
  return pattern
}

/** Texts as long as a URL may be, for which some of the patterns would take unacceptably long. */
const texts = ['a'.repeat(8000), `${'a'.repeat(8000)}!`, 'x'.repeat(8000), ',1'.repeat(4000), ' '.repeat(8000), 'ab'.repeat(4000)]

t.test('patterns that are known to be evil come to an end', async (t) => {
  for (const source of [
    '^(a+)+$',
    '(a|a)*b',
    '^(a|aa)+$',
    '(.*)*X',
    '(x+x+)+y',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '.*.*=.*',
    '(?:.*,){11}P',
    '(.*a){12}c',
    '(a*)*b',
    '(a|b|ab)*c',
    '([^,]*,)*X$',
    '(?:a|a?)+$',
    '^(?:a*b*c*)*d$',
    '(\\s+)+$',
    '(?<!x)(?:a+a+)+c',
    '(?i)^(a+)+$',
    '^(([a-zA-Z0-9])+\\.)+$',
    '\\s+$',
  ]) {
    const pattern = compiled(source)
    for (const text of texts) t.type(pattern.test(text), 'boolean', source)
  }
})

t.test('what only backtracking can do is stopped, and that is no answer', async (t) => {
  for (const source of ['^(?:(?:a+)+(?=b))+c$', '^(a{1,30}){1,30}$', '(?=(a+)+c)a', '^(?>a)(?:a+)+b$']) {
    const pattern = compiled(source)
    t.throws(
      () => pattern.test(`${'a'.repeat(200)}!bc`),
      new ExprRuntimeError(`Regular expression '${source}' took longer than 100 ms`),
      source,
    )
    t.equal(pattern.test('z'), false, 'the next text finds it in order')
  }
})

t.test('a stopped pattern still has the numbers of its own groups', async (t) => {
  // No byte is in every match, so there is no search before the match.
  const pattern = compiled('^(?>(a|A))(?:b+|B)+(?=(c))')
  t.type(pattern, TimedPattern)
  t.strictSame([...(pattern.exec('abbc') ?? [])], ['abb', 'a', 'c'])
})

t.test('ordinary patterns run as they are', async (t) => {
  for (const source of [
    '^/([^/]+)/([^/]+)/(.*)$',
    '\\.(?:gif|jpe?g|png)$',
    '^.*\\.(php|html)$',
    '^(?:[a-z0-9-]+\\.)+example\\.com$',
    '^(?!.*\\.php).*$',
    '^[0-9]{1,3}(?:\\.[0-9]{1,3}){3}$',
    '^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$',
    '^/(?:a|b|cd)/(\\d+)(?:/(.*))?$',
    '(^|/)\\.ht',
    '^(?=.*[a-z])(?=.*\\d).{8,}$',
    '^(?:/[^/]+)+$',
    '\\bMSIE\\b',
  ]) {
    t.equal(Object.getPrototypeOf(compiled(source)), RegExp.prototype, source)
    t.equal(compiled(source).flags, '', source)
  }
})

t.test('a pattern with quadratic time is bounded only for long texts', async (t) => {
  const pattern = compiled('foo.*bar')
  t.equal(pattern.flags, '')
  t.equal(pattern.test('foo and bar'), true)
  t.equal(pattern.test('foo'.repeat(200_000)), false)
  t.equal(pattern.exec(`${'foo'.repeat(200_000)}bar`)?.index, 0)
})

t.test('the bounded form of a pattern finds the same matches and groups', async (t) => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '\\w',
    '(?:a|b)',
    '(?:ab|a)',
    '(a)',
    '(b)',
    '(a|ab)',
    '(?:a|ab|)',
    '\\b',
    '^',
    '$',
  )
  const item = fc
    .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '{2}', '{1,3}'))
    .map(([text, count]) => (/^(?:\\b|\^|\$)$/.test(text) ? text : text + count))
  const sequence = fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join(''))
  const pattern = fc.oneof(
    sequence,
    fc.tuple(sequence, sequence).map(([a, b]) => `(?:${a}|${b})*`),
    fc.tuple(sequence, sequence).map(([a, b]) => `(${a})+${b}`),
  )
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'ab', '\n'), { maxLength: 10 }).map((parts) => parts.join(''))
  let compared = 0
  fc.assert(
    fc.property(pattern, text, (source, subject) => {
      const plain = compilePattern(source)
      if (plain instanceof PatternError) return
      const { unsteady } = patternGroups(plain)
      const known = (match: RegExpExecArray | null): unknown =>
        match && [match.index, ...match.filter((_, group) => !unsteady.has(group))]
      const expected = new RegExp(plain.source).exec(subject)
      const got = boundedPattern(new RegExp(plain.source), 0, source).exec(subject)
      assert.deepStrictEqual(known(got), known(expected), `${source} on ${JSON.stringify(subject)}`)
      compared++
    }),
    { numRuns: 2000, seed: 4 },
  )
  t.ok(compared > 1500, String(compared))
})
