import { join, relative } from 'node:path'
import t from 'tap'
import { failureHints } from '../src/failure-hints.ts'

t.test('a configuration file of the current folder that is not below ServerRoot is named with its path', (t) => {
  const folder = t.testdir({ 'own.conf': '' })
  const here = relative(process.cwd(), join(folder, 'own.conf'))
  const hint = `relative names of -f are below ServerRoot: -f ${folder}/own.conf`
  t.strictSame(failureHints(here, `/srv/${here}`, {}), [hint])
  t.strictSame(failureHints(here, join(folder, 'own.conf'), {}), [], 'it was found')
  t.strictSame(failureHints('none.conf', '/srv/none.conf', {}), [], 'it is nowhere')
  t.end()
})
