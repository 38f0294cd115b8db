import t from 'tap'
import { applyEdits } from '../../src/upgrade/edits.ts'
import { lineDiff } from '../../src/upgrade/line-diff.ts'

t.test('edits are applied by their places, whatever their order', async (t) => {
  const edits = [
    { start: 6, end: 6, text: '!' },
    { start: 0, end: 1, text: 'xyz' },
    { start: 2, end: 4, text: '' },
  ]
  t.equal(applyEdits('abcdef', edits), 'xyzbef!')
  t.equal(applyEdits('abc', []), 'abc')
})

t.test('of two edits of one place the first is made', async (t) => {
  const edits = [
    { start: 1, end: 3, text: 'X' },
    { start: 1, end: 3, text: 'X' },
    { start: 2, end: 4, text: 'Y' },
  ]
  t.equal(applyEdits('abcdef', edits), 'aXdef')
})

t.test('a diff shows the lines that differ, with the numbers of diff -U0', async (t) => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['a\nb\nc', 'a\nb\nc', []],
    ['a\nb\nc', 'a\nB\nc', ['@@ -2 +2 @@', '-b', '+B']],
    ['a\nb\nc\nd', 'a\nd', ['@@ -2,2 +1,0 @@', '-b', '-c']],
    ['a\nd', 'a\nb\nc\nd', ['@@ -1,0 +2,2 @@', '+b', '+c']],
    ['a\nb\nc\nd\ne', 'A\nb\nc\nx\ny\ne', ['@@ -1 +1 @@', '-a', '+A', '@@ -4 +4,2 @@', '-d', '+x', '+y']],
    ['a\nb', 'x\ny\nz', ['@@ -1,2 +1,3 @@', '-a', '-b', '+x', '+y', '+z']],
    ['', 'a', ['@@ -1 +1 @@', '-', '+a']],
  ]
  for (const [before, after, expected] of rows) t.strictSame(lineDiff(before, after), expected, JSON.stringify([before, after]))
})
