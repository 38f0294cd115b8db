import { escapeShell } from '@gatewright/api/text'
import t from 'tap'
import { argumentsOf, environmentOf } from '../src/index.ts'

t.test('names of variables have letters, digits and underscores only, as in httpd', async (t) => {
  t.strictSame(
    environmentOf([
      ['a-b.c', '1'],
      ['1st', '2'],
      ['OK_9', 'a=b\0c'],
    ]),
    [
      ['a_b_c', '1'],
      ['_st', '2'],
      ['OK_9', 'a=b'],
    ],
  )
})

t.test('a query without an equals sign is a list of words', async (t) => {
  t.strictSame(argumentsOf('one+two%20x+a%26b'), ['one', 'two x', 'a\\&b'])
  t.strictSame(argumentsOf('a=b'), [])
  t.strictSame(argumentsOf(''), [])
  t.strictSame(argumentsOf(null), [])
})

t.test('what means something to a shell gets a backslash', async (t) => {
  t.equal(escapeShell('a;b|c\n$(d)'), 'a\\;b\\|c\\\n\\$\\(d\\)')
})
