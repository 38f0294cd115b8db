import t from 'tap'
import { ExprRuntimeError, parseCondition } from '../src/index.ts'
import { condition, refusal, template, toyOptions, toyRequest } from './support/toy-lookup.ts'

t.test('nesting is limited without overflowing the stack', async (t) => {
  t.equal(condition(`${'('.repeat(500)}true${')'.repeat(500)}`).constant, true)
  for (const depth of [501, 5000, 50_000]) {
    t.equal(refusal(`${'('.repeat(depth)}true${')'.repeat(depth)}`), 'memory exhausted')
    t.equal(refusal(`${'!('.repeat(depth)}true${')'.repeat(depth)}`), 'memory exhausted')
    t.equal(refusal(`${'tolower('.repeat(depth)}'a'${')'.repeat(depth)} == 'a'`), 'memory exhausted')
    t.equal(refusal(`${'%{tolower:'.repeat(depth)}a${'}'.repeat(depth)}`, 'string'), 'memory exhausted')
  }
  t.equal(condition(`${'!('.repeat(499)}%{HTTPS} == 'off'${')'.repeat(499)}`).evaluate(toyRequest), false)
})

t.test('long expressions are fine', async (t) => {
  const many = 10_000
  t.equal(condition(`${'!'.repeat(2 * many)}true`).constant, true)
  t.equal(condition(`${"%{HTTPS} == 'x' || ".repeat(many)}true`).evaluate(toyRequest), true)
  t.equal(condition(`${"%{HTTPS} == 'off' && ".repeat(many)}true`).evaluate(toyRequest), true)
  t.equal(condition(`-n %{EMPTY}${' . %{EMPTY}'.repeat(many)}`).evaluate(toyRequest), false)
  t.equal(condition(`'z' in {${"'a', ".repeat(many)}'z'}`).evaluate(toyRequest), true)
  t.equal(template('%{HTTPS}'.repeat(many)).evaluate(toyRequest).length, 3 * many)
  t.not(parseCondition("'a' ".repeat(25_000), toyOptions), undefined)
})

t.test('one piece of text has at most 8191 bytes, and so has a regular expression', async (t) => {
  const fits = 'x'.repeat(8191)
  t.equal(refusal(`-n '${fits}'`), 'no error')
  t.equal(refusal(`-n '${fits}x'`), 'String too long')
  t.equal(refusal(`-n tolower('${fits}x')`), 'String too long')
  t.equal(refusal(fits, 'string'), 'no error')
  t.equal(refusal(`${fits}%a`, 'string'), 'String too long')
  t.equal(refusal(`${fits}%{HTTPS}${fits}`, 'string'), 'no error')
  t.equal(refusal(`'a' =~ /${fits}/`), 'no error')
  t.equal(refusal(`'a' =~ /${fits}x/`), 'syntax error, unexpected T_ERROR, expecting T_REGEX or T_REGEX_I: Regexp too long')
})

t.test('an evaluation as deep as httpd refuses ends with its error', async (t) => {
  const nested = (depth: number): string => `${'tolower('.repeat(depth)}'A'${')'.repeat(depth)}`
  const braces = (depth: number): string => `${'%{tolower:a'.repeat(depth)}${'}'.repeat(depth)}`
  t.equal(condition(`${nested(18)} == 'a'`).evaluate(toyRequest), true)
  t.throws(() => condition(`${nested(19)} == 'a'`).evaluate(toyRequest), new ExprRuntimeError('Recursion limit reached'))
  t.equal(condition(`-n 'a' || ${nested(19)} == 'a'`).evaluate(toyRequest), true, 'when it is not reached, it does not count')
  t.equal(condition(`-n 'a' && ${nested(18)} == 'a'`).evaluate(toyRequest), true)
  t.equal(condition(`'ba' == 'b' . ${nested(17)}`).evaluate(toyRequest), true)
  t.throws(() => condition(`'ba' == 'b' . ${nested(18)}`).evaluate(toyRequest), ExprRuntimeError)
  const chain = (depth: number, word: string): string => `${'tolower('.repeat(depth)}${word}${')'.repeat(depth)} == ''`
  t.equal(condition(chain(17, "'A' . 'b' . 'C%{HTTPS}'")).evaluate(toyRequest), false, 'a chain to the right is one step')
  t.throws(() => condition(chain(17, "'A%{HTTPS}' . 'b' . 'C%{HTTPS}'")).evaluate(toyRequest), ExprRuntimeError)
  const left = (depth: number): string => `${'('.repeat(depth)}-n 'a'${" || -z 'a') && -n 'a'".repeat(depth)}`
  t.equal(condition(left(9)).evaluate(toyRequest), true)
  t.throws(() => condition(left(10)).evaluate(toyRequest), ExprRuntimeError)
  t.equal(template(braces(9)).evaluate(toyRequest), 'a'.repeat(9))
  t.throws(() => template(braces(10)).evaluate(toyRequest), ExprRuntimeError)
})

t.test('patterns that are too long or too large are refused', async (t) => {
  const { compilePattern, PatternError } = await import('../src/index.ts')
  for (const source of ['a'.repeat(40_000), '(a)'.repeat(10_000)]) t.ok(compilePattern(source) instanceof PatternError)
})
