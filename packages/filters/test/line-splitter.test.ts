import t from 'tap'
import { isLineTooLong, LineSplitter } from '../src/line-splitter.ts'

const linesOf = (limit: number, ...pieces: readonly string[]): string[] => {
  const splitter = new LineSplitter(limit)
  const lines = pieces.flatMap((piece) => [...splitter.push(Buffer.from(piece, 'latin1'))])
  return [...lines, splitter.end()]
}

t.test('lines are the same, wherever the pieces end', (t) => {
  const text = 'one\n\ntwo\nrest'
  const expected = ['one\n', '\n', 'two\n', 'rest']
  t.strictSame(linesOf(100, text), expected)
  t.strictSame(linesOf(100, ...text), expected)
  for (let at = 0; at <= text.length; at++) t.strictSame(linesOf(100, text.slice(0, at), text.slice(at)), expected)
  t.strictSame(linesOf(100), [''])
  t.end()
})

t.test('a line above the limit is refused, also before it ends', (t) => {
  t.strictSame(linesOf(4, 'abc\n', 'abc\nabcd'), ['abc\n', 'abc\n', 'abcd'])
  for (const pieces of [['abcd\n'], ['abcde'], ['ab', 'cde'], ['a\nabc', 'd\n']]) {
    try {
      linesOf(4, ...pieces)
      t.fail('nothing was thrown')
    } catch (error) {
      t.ok(isLineTooLong(error))
    }
  }
  t.end()
})
