import t from 'tap'
import { type Chain, changeChain, emptyChain, joinChains } from '../src/chain.ts'

function chain(...words: readonly string[]): Chain {
  const made = emptyChain()
  for (const word of words) changeChain(made, word)
  return made
}

t.test('words add filters after and before the others', (t) => {
  t.same(chain('a', '+b', '@c').names, ['c', 'a', 'b'])
  t.end()
})

t.test('words remove one filter, all of them, or all but one', (t) => {
  t.same(chain('a', 'b', '-a').names, ['b'])
  t.same(chain('a', 'b', '!').names, [])
  t.same(chain('a', 'b', '=c', 'd').names, ['c', 'd'])
  t.end()
})

t.test('inner chains come after outer ones, unless they begin with a new chain', (t) => {
  t.same(joinChains(chain('a'), chain('b')).names, ['a', 'b'])
  t.same(joinChains(chain('a'), chain('-a')).names, ['a'], 'a filter of an outer section is not removed')
  t.same(joinChains(chain('a'), chain('!', 'b')).names, ['b'])
  t.same(joinChains(joinChains(chain('a'), chain('=b')), chain('c')), { names: ['b', 'c'], isReset: true })
  t.end()
})
