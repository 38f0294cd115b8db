import {
  closingName,
  expandVariables,
  logicalLines,
  nextWord,
  openingArgument,
  scanLines,
  scanLinesInSteps,
  splitWords,
} from '@gatewright/config'
import t from 'tap'

const lines = (text: string, max?: number) =>
  [...logicalLines(text, max)].map((line) => ('text' in line ? [line.line, line.text] : [line.line]))

t.test('lines are trimmed, numbered, and comments and blanks are left out', async (t) => {
  t.same(lines('a\n\n  # note\n b \t\r\nc'), [
    [1, 'a'],
    [4, 'b'],
    [5, 'c'],
  ])
})

t.test('a backslash before the line end joins lines and the last one counts', async (t) => {
  t.same(lines('/x\\\ny\nz'), [
    [2, '/xy'],
    [3, 'z'],
  ])
  t.same(lines('/x\\\r\n   y'), [[2, '/x   y']])
  t.same(lines('/x\\ \ny'), [
    [1, '/x\\'],
    [2, 'y'],
  ])
  t.same(lines('/x\\'), [[1, '/x\\']])
  t.same(lines('# c \\\nhidden\nseen'), [[3, 'seen']])
})

t.test('a NUL byte ends the text of a line and a line that is too long is reported', async (t) => {
  t.same(lines('ab\0cd\ne'), [
    [1, 'ab'],
    [2, 'e'],
  ])
  t.same(lines('abcdef\ng', 4), [[1], [2, 'g']])
  t.same(lines('ab\0\\\ncd\\\0\ne'), [
    [1, 'ab'],
    [2, 'cd\\'],
    [3, 'e'],
  ])
})

t.test('the end of a line counts towards its length, unless a backslash removes it', async (t) => {
  t.same(lines('abc\nabcd', 4), [
    [1, 'abc'],
    [2, 'abcd'],
  ])
  t.same(lines('abcd\n', 4), [[1]])
  t.same(lines('abc\r\n', 4), [[1]])
  t.same(lines('ab\\\r\nc\n', 4), [[2, 'abc']])
  t.same(lines('abc\\\nd\n', 4), [[2]])
  t.same(lines('abcd\\\n', 4), [[1, 'abcd']])
})

t.test('a line of many physical lines is joined in steps, up to the longest that is wanted', async (t) => {
  const text = `first\n${'ab\\\n'.repeat(10_000)}c\nlast`
  const steps = [...scanLinesInSteps(text, 100)]
  t.ok(steps.filter((step) => step === null).length >= 2, 'others have their turn in between')
  const whole = steps.filter((step) => step !== null)
  t.same(
    whole.map(({ firstLine, line, start, end }) => [firstLine, line, start, end]),
    [...scanLines(text)].map(({ firstLine, line, start, end }) => [firstLine, line, start, end]),
  )
  t.same(
    whole.map(({ line }) => line),
    [1, 10_002, 10_003],
  )
  t.equal(whole[0]?.joined, 'first')
  t.match(whole[1]?.joined, /^(?:ab){51}$/)
  t.equal([...scanLines(text)][1]?.joined.length, 20_001)
})

t.test('words follow the quoting rules', async (t) => {
  const rows: [string, string[]][] = [
    ['a b', ['a', 'b']],
    ['"a b" c', ['a b', 'c']],
    ["'a \"b' c", ['a "b', 'c']],
    ['"a\\"b"', ['a"b']],
    ['"\\n"', ['\\n']],
    ['"\\\'"', ["\\'"]],
    ['a\\\\b', ['a\\b']],
    ['a\\ b', ['a\\', 'b']],
    ['/x"y', ['/x"y']],
    ['"open end', ['open end']],
    ['"/x"y', ['/x', 'y']],
    ['""', ['']],
    ['   ', []],
  ]
  for (const [line, words] of rows) t.same(splitWords(line), words, line)
  t.same(nextWord('  one   two three '), { word: 'one', rest: 'two three' })
})

t.test('variables are replaced once; unknown ones are kept and reported', async (t) => {
  const unknown: string[] = []
  const lookup = {
    value: (name: string) => ({ a: 'A', b: '${a}' })[name.toLowerCase()],
    undefinedVariable: (name: string) => unknown.push(name),
  }
  const rows: [string, string][] = [
    ['${a}Root /z', 'ARoot /z'],
    ['${B}', '${a}'],
    ['\\${a}', '\\A'],
    ['${a', '${a'],
    ['$a {a}', '$a {a}'],
    ['${x:y}', '${x:y}'],
    ['${no} ${a}', '${no} A'],
    ['${}', '${}'],
    ['${${a}}', '${${a}}'],
  ]
  for (const [line, expected] of rows) t.equal(expandVariables(line, lookup), expected, line)
  t.same(unknown, ['no', '', '${a'])
})

t.test('containers end at the last bracket', async (t) => {
  t.same(openingArgument('<Directory', '"/a>b" > rest'), { argument: '"/a>b"' })
  t.same(openingArgument('<Directory', '/a'), { error: "<Directory> directive missing closing '>'" })
  t.same(openingArgument('<Directory', '>'), { error: '<Directory> directive requires additional arguments' })
  t.same(closingName('</Directory> extra'), { name: 'Directory' })
  t.same(closingName('</Directory >'), { error: "</Directory> directive missing closing '>'" })
})
