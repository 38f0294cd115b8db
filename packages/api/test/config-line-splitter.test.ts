import fc from 'fast-check'
import t from 'tap'
import { ConfigLineSplitter, configLines } from '../src/index.ts'

const LIMIT = 40

const piece = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom('\n', '\r\n', '\\\n', '\\\r\n', '\\', '#', ' ', '\t', '\0', 'word', 'a:b', '\xa0') },
  { weight: 1, arbitrary: fc.constantFrom(LIMIT - 1, LIMIT, LIMIT + 1).map((length) => 'x'.repeat(length)) },
)

function split(parts: readonly string[]): string[] {
  const splitter = new ConfigLineSplitter(LIMIT)
  const lines = parts.flatMap((part) => [...splitter.lines(part)])
  return [...lines, ...splitter.rest()]
}

t.test('a file has the same lines regardless of the parts in which it arrives', async (t) => {
  let several = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(60), { maxLength: 8 }), (pieces, cuts) => {
      const text = pieces.join('')
      const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
      const parts = places.slice(1).map((place, index) => text.slice(places[index], place))
      const expected = [...configLines(text, LIMIT)]
      if (expected.length > 1 && parts.length > 2) several++
      return JSON.stringify(split(parts)) === JSON.stringify(expected)
    }),
    { numRuns: 3000, seed: 7 },
  )
  t.ok(several > 50, `${several} files of several lines came in several parts`)
})

t.test('reading ends as soon as a line is known to be too long', async (t) => {
  const splitter = new ConfigLineSplitter(LIMIT)
  t.strictSame([...splitter.lines(`one\n${'x'.repeat(LIMIT)}`)], ['one'])
  t.equal(splitter.tooLong, false)
  t.strictSame([...splitter.lines('x'), ...splitter.lines('\ntwo\n'), ...splitter.rest()], [])
  t.equal(splitter.tooLong, true)
})
