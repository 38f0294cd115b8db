import type { Pattern } from '@gatewright/api'
import t from 'tap'
import { fakePattern } from '../../mod_env/test/fakes/command.ts'
import { compileSearch, replace } from '../src/replacement.ts'

const ROWS: readonly (readonly [text: string, regex: string, replacement: string, matches: 'first' | 'all', result: string])[] = [
  ['hello world', 'o', '0', 'first', 'hell0 world'],
  ['hello world', 'o', '0', 'all', 'hell0 w0rld'],
  ['hello', 'z', '0', 'all', 'hello'],
  ['aaab', '^a', 'x', 'all', 'xxxb'],
  ['aaab', 'b$', 'y', 'all', 'aaay'],
  ['baxa', '(?<=x)a', 'y', 'first', 'baxy'],
  ['a, b', '\\s*,\\s*', ';', 'all', 'a;b'],
  ['hello', 'l+', '[&]', 'first', 'he[&]o'],
  ['hello', '(l)(l)(z)?', '[$0$1$2$3$4$$a$10$]', 'first', 'he[llll$$al0$]o'],
  ['abab', '(a)b\\1', '<$1$0>', 'first', '<aaba>b'],
  ['ab', 'a|b', '<$0$1>', 'all', '<a><b>'],
  ['hello', 'l+', 'a\\$0 b\\& c\\d\\\\', 'first', 'hea$0 b& cd\\o'],
  ['ab', 'b', 'c\\', 'first', 'ac\\'],
  ['hello', '', 'Z', 'first', 'Zhello'],
  ['ab', '', '-', 'all', '-a-b-'],
  ['hello', 'l*', '-', 'all', '-h-e--o-'],
  ['a\nb', 'a', 'x', 'first', 'x\nb'],
]

for (const [text, regex, replacement, matches, result] of ROWS) {
  t.test(`${matches} ${regex} of ${JSON.stringify(text)} by ${replacement} gives ${JSON.stringify(result)}`, async (t) => {
    t.equal(replace(text, search(regex), replacement, matches), result)
  })
}

t.test('a pattern that is wrong alone is not mended by what surrounds it', async (t) => {
  for (const regex of ['(', 'a)(b', 'a\\']) t.ok('error' in compileSearch(regex, fakePattern), regex)
})

function search(regex: string): Pattern {
  const pattern = compileSearch(regex, fakePattern)
  if ('error' in pattern) throw new Error(pattern.error)
  return pattern
}
