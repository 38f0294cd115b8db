import t from 'tap'
import { listedWords } from '../src/index.ts'

t.test('a list ends at its first empty word', async (t) => {
  const list = (...words: string[]): string[] => listedWords('', { words: () => words })
  t.same(list('a', 'b'), ['a', 'b'])
  t.same(list('a', '', 'b'), ['a'])
  t.same(list('', 'b'), [])
  t.same(list(), [])
})
