import t from 'tap'
import { parseTypeMap as steps, type TypeMap } from '../src/type-map.ts'

const PATH = '/srv/docs/page.var'

function parseTypeMap(text: string, path: string): TypeMap {
  const parsing = steps(text, path)
  for (;;) {
    const step = parsing.next()
    if (step.done === true) return step.value
  }
}

function read(...lines: string[]): readonly string[] {
  const { variants } = parseTypeMap(`${lines.join('\n')}\n`, PATH)
  return (variants ?? []).map(({ fileName, mimeType, languages, sourceQuality, body }) =>
    [fileName, mimeType, languages.join(','), sourceQuality.toFixed(2), body ?? '-'].join(' | '),
  )
}

t.test('blocks separated by blank lines are variants, blocks with only a URI are comments', async (t) => {
  const read1 = read(
    '# comment',
    'URI: page',
    '',
    'URI: a.html',
    'Content-Type: Text/HTML; qs=0.5',
    '',
    'URI: b',
    'Content-Language: EN',
  )
  t.strictSame(read1, ['a.html | text/html |  | 0.50 | -', 'b |  | en | 0.00 | -'])
})

t.test('lines continue after a leading blank, and parentheses are comments except in quotes', async (t) => {
  t.strictSame(read('URI: a (the best)', 'Content-Type: text/html', '# between', '\t;qs=0.25', 'Content-Language: en,', ' fr'), [
    'a | text/html | en,fr | 0.25 | -',
  ])
  const { variants } = parseTypeMap('URI: a\nContent-Type: x/y\nDescription: "a (b)" (c)\n', PATH)
  t.equal(variants?.[0]?.description, '"a (b)"')
})

t.test('a body ends at the next occurrence of its tag, and the variant has the name of the map', async (t) => {
  const lines = [
    'Content-Type: text/html',
    'Body:--x--',
    'one',
    '',
    'two: 2',
    '--x-- dropped',
    '',
    'URI: b',
    'Content-Type: text/plain',
  ]
  t.strictSame(read(...lines), ['page.var | text/html |  | 1.00 | one\n\ntwo: 2\n', 'b | text/plain |  | 1.00 | -'])
})

t.test('a map with a line that is not a field is unusable, and the log names the line', async (t) => {
  t.match(parseTypeMap('URI: a\nwhat is this\n', PATH), {
    variants: null,
    fault: { code: 'AH00681', text: /no ':' in \/srv\/docs\/page\.var for header what is this\n$/ },
  })
})

t.test('the log shows a line without a colon as it was read, with its blanks and line breaks', (t) => {
  for (const [written, shown] of [
    ['what', 'what'],
    ['what  ', 'what  '],
    ['what\t\r\n', 'what\t\r\n'],
    ['what\n more', 'what\nmore\n'],
    ['what  \n more  \n  again', 'what  \nmore  \nagain\n'],
    ['what\t\r\n more\r\n', 'what\t\r\nmore\r\n'],
  ]) {
    const { fault } = parseTypeMap(written, PATH)
    t.equal(fault?.text, `Syntax error in type map, no ':' in ${PATH} for header ${shown}`, JSON.stringify(written))
  }
  t.end()
})

t.test('variants before a wrong length or an unterminated body are kept', async (t) => {
  const good = 'URI: a\nContent-Type: text/html\n\n'
  const length = parseTypeMap(`${good}URI: b\nContent-Type: text/html\nContent-Length: many\n`, PATH)
  t.match(length.fault, { code: 'AH00684', text: /'many' in \/srv\/docs\/page\.var is invalid\.$/ })
  t.equal(length.variants?.length, 1)
  const body = parseTypeMap(`${good}Content-Type: text/html\nBody:--end--\nnever\n`, PATH)
  t.match(body.fault, { text: /no end tag '--end--'/ })
  t.equal(body.variants?.length, 1)
})
