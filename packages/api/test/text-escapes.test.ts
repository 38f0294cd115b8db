import t from 'tap'
import { asciiJson, decodePercent } from '../src/text/index.ts'

/** A text with escapes, and its bytes. */
const DECODED: readonly (readonly [string, string])[] = [
  ['plain', 'plain'],
  ['a%2Fb%2f', 'a/b/'],
  ['%00%ff', '\0\xff'],
  ['%', '%'],
  ['%2', '%2'],
  ['%zz%41', '%zzA'],
  ['%2541', '%41'],
]
for (const [text, bytes] of DECODED) {
  t.test(`${text} is decoded once, and what is no escape stays`, async (t) => t.equal(decodePercent(text), bytes))
}

t.test('JSON of any characters is ASCII, and has the same value', async (t) => {
  const value = { bytes: '\x7f\x80\xff', wide: '\u20ac\u{1f600}', plain: ['~ "\\'] }
  const json = asciiJson(value)
  t.match(json, /^[\x20-\x7e]*$/)
  t.strictSame(JSON.parse(json), value)
})
