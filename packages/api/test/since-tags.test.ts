import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import t from 'tap'

const SRC = join(import.meta.dirname, '../src')
const sources = globSync('**/*.ts', { cwd: SRC })
  .filter((name) => name !== 'version.ts')
  .map((name) => ({ name, text: readFileSync(join(SRC, name), 'utf8') }))

t.test('the version that added a symbol is a tag of its comment, and no sentence', (t) => {
  const sentences = sources.flatMap(({ name, text }) => (/\bSince(?:\s|\*)+API\b/.test(text) ? [name] : []))
  t.strictSame(sentences, [])
  t.end()
})

t.test('each @since begins a line and names a version of this line that exists', (t) => {
  const newest = Number(API_VERSION.split('.')[2])
  const tags = sources.flatMap(({ name, text }) =>
    [...text.matchAll(/^(.*)@since(.*)$/gm)].map(([whole, before, version]) => ({ name, whole, before, version })),
  )
  t.ok(tags.length > 100, `${tags.length} tags`)
  const wrong = tags.filter(({ before, version }) => {
    const n = /^ 2\.4\.(\d+)$/.exec(version)?.[1]
    return !/^ *\* $/.test(before) || n === undefined || Number(n) > newest
  })
  t.strictSame(wrong, [])
  t.end()
})
