import { readFileSync } from 'node:fs'
import t from 'tap'
import { DIRECTIVE_EFFECTS, effectsTable } from '../src/directive-effects.ts'
import ssl from '../src/index.ts'

const recorded = readFileSync(new URL('directives-of-httpd.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .sort()

t.test('every directive of httpd exists, and no other', (t) => {
  t.strictSame(Object.keys(ssl.directives ?? {}).sort(), recorded)
  t.end()
})

t.test('the effect of every directive is stated, and those without are accepted as such', (t) => {
  t.strictSame([...DIRECTIVE_EFFECTS.keys()].sort(), recorded)
  for (const [name, { effect }] of DIRECTIVE_EFFECTS) {
    if (effect === 'without effect') t.equal(ssl.directives?.[name].effect, 'none', name)
    if (effect === 'honoured') t.equal(ssl.directives?.[name].effect, undefined, name)
  }
  t.end()
})

t.test('the manual page has the table of effects', (t) => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  t.ok(page.includes(effectsTable()), `replace the table by:\n${effectsTable()}`)
  t.end()
})
