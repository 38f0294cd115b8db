import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pretendedHttpd } from '../../../test/fixtures/pretended-httpd.ts'
import { parseMigrateOptions } from '../src/gatewright/migrate-options.ts'
import { findHttpd } from '../src/gatewright/oracle/httpd-program.ts'

t.test('an httpd is queried about a sample, a given number, or all classes', (t) => {
  t.match(parseMigrateOptions(['x']), { oracle: null })
  t.match(parseMigrateOptions(['--oracle', 'apache2', 'x']), { oracle: { program: 'apache2', sample: 200, modulesFolder: null } })
  t.match(parseMigrateOptions(['--oracle', 'apache2', '--oracle-sample', '0', 'x']), { oracle: { sample: 0 } })
  t.match(parseMigrateOptions(['--oracle', 'a', '--oracle-all', '--oracle-modules', '/m', 'x']), {
    oracle: { sample: Number.POSITIVE_INFINITY, modulesFolder: '/m' },
  })
  t.end()
})

t.test('options of the oracle that mean nothing are refused', (t) => {
  for (const [words, complaint] of [
    [['--oracle-all'], /require --oracle PROGRAM/],
    [['--oracle', 'a', '--limit', '0'], /confirms a proof/],
    [['--oracle', 'a', '--oracle-sample', 'some'], /takes a number, not some/],
    [['--oracle', 'a', '--oracle-sample', '1', '--oracle-all'], /only one of/],
  ] as const)
    t.match(parseMigrateOptions([...words, 'x']), { complaint })
  t.end()
})

t.test('a program counts as an httpd if it reports version 2.4', (t) => {
  const root = t.testdir({})
  const at = (name: string, version: string): string => {
    mkdirSync(join(root, name))
    return pretendedHttpd(join(root, name), { version })
  }
  t.match(findHttpd(at('good', 'Apache/2.4.62 (Unix)'), null), {
    version: 'Apache/2.4.62 (Unix)',
    compiledIn: new Set(['core.c', 'mod_authz_core.c']),
  })
  t.throws(() => findHttpd(at('old', 'Apache/2.2.15'), null), { message: /is not an Apache httpd 2\.4/, hint: /Server version/ })
  t.throws(() => findHttpd('no-such-httpd', null), { message: /no-such-httpd: no such program/, hint: /omit --oracle/ })
  t.end()
})
