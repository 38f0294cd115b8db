import t from 'tap'
import { compileTemplate, configLines, coversName, fillTemplate } from '../src/index.ts'

/** Text of a password or group file, and its lines. */
const LINES: readonly (readonly [string, readonly string[]])[] = [
  ['', []],
  ['a:1\nb:2', ['a:1', 'b:2']],
  ['  a \t\r\n\n# no\n #nor\nb', ['a', 'b']],
  ['a: b \\\n c\nd', ['a: b  c', 'd']],
  ['a\\', ['a\\']],
  ['a\\\n', ['a']],
  ['a:1\0junk\nb\0:2\n\0c', ['a:1', 'b']],
  ['a\0\\\nb\\\0\nc', ['a', 'b\\', 'c']],
  ['a\n\xa0b\xa0', ['a', '\xa0b\xa0']],
]
for (const [text, lines] of LINES) {
  t.test(`${JSON.stringify(text)} has the lines ${JSON.stringify(lines)}`, async (t) => {
    t.strictSame([...configLines(text, 100)], lines)
  })
}

t.test('reading ends at a line that is too long, joined lines included', async (t) => {
  t.strictSame([...configLines('ok\n123456\nlost', 5)], ['ok'])
  t.strictSame([...configLines('ok\n123\\\n456\nlost', 5)], ['ok'])
})

/** A word of Require host, a client's name, whether the word matches it. */
const NAMES: readonly (readonly [string, string, boolean])[] = [
  ['good.example', 'good.example', true],
  ['.good.example', 'good.example', false],
  ['.good.example', 'web.good.example', true],
  ['GOOD.example', 'web.good.example', true],
  ['good.example', 'nogood.example', false],
  ['web', 'web.good.example', false],
]
for (const [word, name, covers] of NAMES) {
  t.test(`${word} ${covers ? 'covers' : 'does not cover'} ${name}`, async (t) => t.equal(coversName(word, name), covers))
}

t.test('a replacement contains the groups of the match that it names', async (t) => {
  const fill = (source: string): string => fillTemplate(compileTemplate(source), ['all', 'one'])
  t.equal(fill('a$1b$0$2'), 'aoneball')
  t.equal(fill('\\$1 \\\\ $x $'), '$1 \\ $x $')
  t.strictSame(compileTemplate('plain'), ['plain'])
  t.strictSame(compileTemplate(''), [])
})
