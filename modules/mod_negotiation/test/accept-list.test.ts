import t from 'tap'
import { parseAcceptList } from '../src/accept-list.ts'
import { parseQuality } from '../src/quality.ts'

function read(field: string): readonly string[] {
  return (parseAcceptList(field) ?? []).map(({ name, quality, level }) => `${name} ${quality.toFixed(3)} ${level}`)
}

t.test('an absent field is not the same as one without items', async (t) => {
  t.equal(parseAcceptList(undefined), null)
  t.strictSame(parseAcceptList(''), [])
})

t.test('items are separated by commas or blanks, parameters may be anywhere, quotes protect both', async (t) => {
  t.strictSame(read('text/plain;q=0.5, IMAGE/gif ; level = 3;q=".25", image/png  text/css'), [
    'text/plain 0.500 0',
    'image/gif 0.250 3',
    'image/png 1.000 0',
    'text/css 1.000 0',
  ])
  t.strictSame(read('a;x="1,2;q=0.1";q=0.7,b'), ['a 0.700 0', 'b 1.000 0'])
})

t.test('text/html has level 2 by default', async (t) => {
  t.strictSame(read('text/html, text/html;level=1'), ['text/html 1.000 2', 'text/html 1.000 1'])
})

t.test('the first three digits of a quality count; a text that does not begin with a quality counts as 1', async (t) => {
  const rows: readonly (readonly [string, number])[] = [
    ['0.5', 0.5],
    ['.5', 0.5],
    ['0.1239', 0.123],
    ['0', 0],
    ['0.', 0],
    ['0x', 0],
    ['1', 1],
    ['1.5', 1],
    ['-0.5', 1],
    ['', 1],
    ['high', 1],
  ]
  for (const [text, quality] of rows) t.equal(parseQuality(text), Math.fround(quality), text)
})

t.test('fields with arbitrary contents are read to their end', async (t) => {
  let seed = 7
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  const PIECES = [',', ';', ' ', '"', '=', 'q', 'a/b', '*', '0.5', '\t', 'level', '\\', '\x80']
  for (let round = 0; round < 3000; round++) {
    const field = Array.from({ length: next(12) }, () => PIECES[next(PIECES.length)]).join('')
    for (const { quality } of parseAcceptList(field) ?? []) {
      if (!(quality >= 0 && quality <= 1)) t.fail(`quality ${quality} of ${JSON.stringify(field)}`)
    }
  }
})
