import t from 'tap'
import { ExprSyntaxError, parseCondition } from '../src/index.ts'
import { toyLookup, toyRequest } from './support/toy-lookup.ts'

function holds(source: string): boolean {
  const condition = parseCondition(source, { lookup: toyLookup, comparisons: 'by length' })
  if (condition instanceof ExprSyntaxError) throw condition
  return condition.evaluate(toyRequest)
}

t.test('a shorter text is less than a longer one, and numbers are texts', (t) => {
  const isTrue = [
    '"b" < "aa"',
    '"aa" > "b"',
    '10 gt 9',
    '9 lt 10',
    '"ab" <= "ab"',
    '"ab" ge "aa"',
    '01 ne 1',
    '1 -eq 1',
    '"a" != "b"',
  ]
  const isFalse = ['"aa" < "b"', '9 gt 10', '"b" >= "aa"', '01 eq 1', '01 -eq 1', '"b" le "a"']
  for (const source of isTrue) t.equal(holds(source), true, source)
  for (const source of isFalse) t.equal(holds(source), false, source)
  t.end()
})
