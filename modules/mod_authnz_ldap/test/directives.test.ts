import { readFileSync } from 'node:fs'
import t from 'tap'
import authnzLdap from '../src/index.ts'

/** As `httpd -L` prints them. */
const recorded = readFileSync(new URL('directives-of-httpd.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .sort()
const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

t.test('every directive of httpd exists, and no other', (t) => {
  t.strictSame(Object.keys(authnzLdap.directives ?? {}).sort(), recorded)
  t.end()
})

t.test('the manual page states for every directive whether it is honoured, and -t lists those without effect', (t) => {
  for (const name of recorded) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name} `)) ?? ''
    const effect = authnzLdap.directives?.[name].effect === 'none' ? 'without effect' : 'honoured'
    t.ok(row.includes(`| ${effect}`), `${name}: ${effect}`)
  }
  t.end()
})
