import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { apxs } from '../../src/apxs/apxs.ts'

const REAL = '/usr/bin/apxs'
const skip = existsSync(REAL) ? false : 'apxs of Apache httpd is not installed'

/** Command lines without paths, for which both print the same. */
const SAME: readonly (readonly string[])[] = [
  [],
  ['-z'],
  ['-n'],
  ['-g'],
  ['-n', 'hello'],
  ['-i', '-a'],
  ['-e'],
  ['-S', 'NOPE=1', '-q', 'CC'],
  ['-S', 'malformed', '-q', 'CC'],
  ['-q', 'NOPE'],
  ['-q', 'HTTPD_MMN'],
  ['-g', '-n', 'taken'],
]

t.test('status and words are those of the real apxs; only hints come in addition', { skip }, async (t) => {
  const cwd = t.testdir({ taken: {}, build: { 'config_vars.mk': 'prefix = .\nCC = cc\n' } })
  const before = { folder: process.cwd(), vars: process.env.GATEWRIGHT_CONFIG_VARS }
  process.env.GATEWRIGHT_CONFIG_VARS = join(cwd, 'build/config_vars.mk')
  process.chdir(cwd)
  t.teardown(() => {
    process.chdir(before.folder)
    if (before.vars === undefined) delete process.env.GATEWRIGHT_CONFIG_VARS
    else process.env.GATEWRIGHT_CONFIG_VARS = before.vars
  })
  for (const argv of SAME) {
    const real = spawnSync(REAL, argv, { cwd, encoding: 'utf8' })
    const said = { out: '', err: '' }
    const status = await apxs(argv, {
      out: (line) => {
        said.out += `${line}\n`
      },
      err: (line) => {
        if (!line.startsWith('hint: ')) said.err += `${line}\n`
      },
    })
    t.strictSame({ status, ...said }, { status: real.status, out: real.stdout, err: real.stderr }, argv.join(' '))
  }
})
