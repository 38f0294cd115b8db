import t from 'tap'
import { type ExprLookup, ExprSyntaxError, parseCondition } from '../src/index.ts'
import { condition, toyRequest } from './support/toy-lookup.ts'

t.test('names reach the lookup in one case, letters of operators as written', async (t) => {
  const asked: string[] = []
  const lookup: ExprLookup<unknown> = {
    variable: (name) => note('variable', name, () => ''),
    stringFunction: (name) => note('function', name, { call: () => '' }),
    listFunction: (name) => note('list', name, () => []),
    unaryOperator: (letter) => note('unary', letter, { test: () => true }),
    binaryOperator: (name) => note('binary', name, { test: () => true }),
  }
  function note<T>(kind: string, name: string, answer: T): T {
    asked.push(`${kind} ${name}`)
    return answer
  }
  const source = "-F %{Remote_User} && Req('x') -IpMatch %{HTTP:x} && 'a' in PeerExtList('b') && -n tolower('c')"
  t.notOk(parseCondition(source, { lookup }) instanceof ExprSyntaxError)
  t.same(asked, ['variable REMOTE_USER', 'unary F', 'function req', 'function http', 'binary ipmatch', 'list peerextlist'])
})

t.test('names are resolved when parsing and never again', async (t) => {
  let asked = 0
  const lookup: ExprLookup<{ n: number }> = {
    variable: () => {
      asked++
      return (request) => String(request.n)
    },
    stringFunction: () => undefined,
    listFunction: () => undefined,
    unaryOperator: () => undefined,
    binaryOperator: () => undefined,
  }
  const parsed = parseCondition('%{N} -gt 5', { lookup })
  t.notOk(parsed instanceof ExprSyntaxError)
  if (parsed instanceof ExprSyntaxError) return
  t.same(
    [4, 5, 6, 7].map((n) => parsed.evaluate({ n })),
    [false, false, true, true],
  )
  t.equal(asked, 1)
})

t.test('defaults of regular expressions apply in addition to the flag i', async (t) => {
  const evaluate = (source: string, pattern: object): boolean =>
    condition(source, { lookup: emptyLookup, pattern }).evaluate(toyRequest)
  t.equal(evaluate("'A' =~ /a/", {}), false)
  t.equal(evaluate("'A' =~ /a/", { ignoreCase: true }), true)
  t.equal(evaluate("'A' =~ /a/i", { ignoreCase: false }), true)
  t.equal(evaluate("'a\\nb' =~ /a.b/", { dotAll: false }), false)
  t.equal(evaluate("'a\\n' =~ /a$/", { dollarEndOnly: false }), true)
})

const emptyLookup: ExprLookup<unknown> = {
  variable: () => undefined,
  stringFunction: () => undefined,
  listFunction: () => undefined,
  unaryOperator: () => undefined,
  binaryOperator: () => undefined,
}
