import { join } from 'node:path'
import t from 'tap'
import { refuseUnusable } from '../../src/apxs/sources.ts'

t.test('a source that does not exist is reported by its name', (t) => {
  const folder = t.testdir({ 'mod_a.ts': '' })
  refuseUnusable([join(folder, 'mod_a.ts')])
  t.throws(() => refuseUnusable([join(folder, 'mod_b.ts')]), new RegExp(`^${folder}/mod_b\\.ts: No such file or directory$`))
  t.end()
})
