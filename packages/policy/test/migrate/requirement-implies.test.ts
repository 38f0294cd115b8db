import t from 'tap'
import { implies } from '../../src/migrate/requirement-implies.ts'
import { allOf, anyOf, DENIED, GRANTED, line, not } from '../../src/site/requirement.ts'

const [a, b] = [line('ip 10'), line('user bob')]

t.test('a formula implies a wider one, and not a narrower one', (t) => {
  t.ok(implies(DENIED, a))
  t.ok(implies(a, GRANTED))
  t.ok(implies(allOf([a, b]), a))
  t.ok(implies(a, anyOf([a, b])))
  t.ok(implies(allOf([GRANTED, not('ip 10')]), GRANTED))
  t.notOk(implies(GRANTED, a))
  t.notOk(implies(anyOf([a, b]), a))
  t.notOk(implies(allOf([GRANTED, not('ip 10')]), a))
  t.notOk(implies(a, DENIED))
  t.end()
})

t.test('formulas of too many lines do not count as implied unless they are the same', (t) => {
  const many = anyOf(Array.from({ length: 20 }, (_, index) => line(`user u${index}`)))
  t.ok(implies(many, many))
  t.notOk(implies(line('user u1'), many))
  t.end()
})
