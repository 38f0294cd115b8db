import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { usualSocketPrefix } from '../src/socket-prefix.ts'

t.test('the sockets of the runner are in the runtime folder, unless workers with another user cannot reach it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-test.'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [runtime, elsewhere] = [join(folder, 'wsgi'), join(tmpdir(), 'gatewright-wsgi')]
  chmodSync(folder, 0o755)
  t.equal(usualSocketPrefix(runtime, true), runtime)
  chmodSync(folder, 0o750)
  t.equal(usualSocketPrefix(runtime, true), elsewhere)
  t.equal(usualSocketPrefix(runtime, false), runtime)
  t.equal(usualSocketPrefix(join(folder, 'missing/wsgi'), true), elsewhere)
  t.end()
})
