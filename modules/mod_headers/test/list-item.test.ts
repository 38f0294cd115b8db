import t from 'tap'
import { isListed } from '../src/list-item.ts'

const ROWS: readonly (readonly [value: string, list: string, listed: boolean])[] = [
  ['a', 'a', true],
  ['a', 'a, b', true],
  ['b', 'a, b', true],
  ['A', 'a, b', false],
  ['a, b', 'a, b', false],
  ['ab', 'abc, c', false],
  ['abcd', 'abc, c', false],
  ['a', '\ta', true],
  ['a', 'a ,b', false],
  ['a ', 'a ,b', true],
  ['b', 'a, b\t,c', false],
  ['"a, b"', '"a, b", c', true],
  ['b"', '"a, b", c', false],
  ['c', '"a, b", c', true],
  ['"ab', '"ab', true],
  ['b"', '"a\\",b"', true],
  ['b', 'a\\,b, c', true],
  ['', '', false],
  ['', 'a', false],
  ['', 'a,,b', true],
  ['', ',a', true],
  ['', 'a,b,', false],
  ['', 'a, ', true],
]

for (const [value, list, listed] of ROWS) {
  t.test(`${JSON.stringify(value)} is ${listed ? 'an item' : 'not an item'} of ${JSON.stringify(list)}`, async (t) => {
    t.equal(isListed(value, list), listed)
  })
}
