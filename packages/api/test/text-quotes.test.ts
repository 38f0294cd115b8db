import { escapeQuotes } from '@gatewright/api/text'
import t from 'tap'

t.test('quotes are escaped unless they are already', async (t) => {
  const rows: [string, string][] = [
    ['plain', 'plain'],
    ['say "hi" C:x', String.raw`say \"hi\" C:x`],
    [String.raw`a\"b`, String.raw`a\"b`],
    [String.raw`a\\"b`, String.raw`a\\\"b`],
    ['end\\', 'end\\'],
    ['"\\', '\\"\\'],
  ]
  for (const [realm, escaped] of rows) t.equal(escapeQuotes(realm), escaped, realm)
})
