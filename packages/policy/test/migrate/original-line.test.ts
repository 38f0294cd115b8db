import t from 'tap'
import { originalLine } from '../../src/index.ts'

t.test('a line of a rewritten text is found in the old one, and a new line at its position', (t) => {
  const before = 'a\nb\nc\nd\n'
  const after = 'a\nnew\nold\nc\nd\n'
  t.strictSame(originalLine(before, after, 1), { line: 1, written: null })
  t.strictSame(originalLine(before, after, 2), { line: 2, written: 'new' })
  t.strictSame(originalLine(before, after, 4), { line: 3, written: null })
  t.strictSame(originalLine(before, after, 5), { line: 4, written: null })
  t.strictSame(originalLine(before, before, 3), { line: 3, written: null })
  t.end()
})
