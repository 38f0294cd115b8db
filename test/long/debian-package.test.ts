import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { canCopy, has, IN_COPY } from '../fixtures/copied-system.ts'

const ROOT = join(import.meta.dirname, '../..')
const FIXTURES = join(ROOT, 'test/fixtures')

const needed = ['dpkg-deb', 'strip'].filter((program) => !has(program))
const skip = needed.length === 0 ? false : `needs ${needed.join(', ')}`

t.test(
  'the package for Debian has no errors, serves, is upgraded under load without a failed request, and is purged',
  { skip },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatewright-package-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const [old, young] = ['1', '2'].map((revision) => packageOf(folder, revision))
    t.ok(old && young, 'one command makes a package')
    if (old === undefined || young === undefined) return

    await t.test('lintian finds no errors', { skip: has('lintian') ? false : 'needs lintian' }, async (t) => {
      const { stdout } = spawnSync('lintian', ['--allow-root', '--tag-display-limit', '0', old, devOf(old)], { encoding: 'utf8' })
      t.strictSame(
        stdout.split('\n').filter((line) => line.startsWith('E:')),
        [],
      )
    })

    const isPossible = process.getuid?.() === 0 && has('dpkg') && has('curl') && has('ip') && canCopy()
    await t.test('its life', { skip: isPossible ? false : 'needs root, dpkg, curl, ip and overlays' }, async (t) => {
      const copy = join(folder, 'copy')
      mkdirSync(copy)
      const words = [copy, old, young, process.execPath, join(FIXTURES, 'package-visitor.mjs')]
      const env = { PATH: process.env.PATH ?? '', HOME: folder }
      const run = spawnSync(IN_COPY[0], [...IN_COPY.slice(1), 'sh', join(FIXTURES, 'package-life.sh'), ...words], {
        encoding: 'utf8',
        env,
        timeout: 600_000,
      })
      const results = new Map(
        run.stdout.split('\n').map((line): [string, string] => [line.replace(/=.*/, ''), line.replace(/^\w+=/, '')]),
      )
      const context = `${run.stdout}\n${run.stderr}`
      t.equal(run.status, 0, context)
      t.match(Object.fromEntries(results), {
        syntax: 'Syntax OK',
        user: 'gatewright',
        enabled: '000-default ',
        served: '200',
        denied: '403',
        state: '1',
        version: /-2$/,
        kept: '1',
        disabled: '1',
        stopped: '000',
        remaining: 'configuration logs',
        page: 'gone',
      })
      const visits: { readonly requests: number; readonly failures: readonly string[] } = JSON.parse(
        results.get('visits') ?? '{}',
      )
      t.ok(visits.requests > 0)
      t.strictSame(visits.failures, [], 'no request failed during the upgrade')
      t.notOk(results.has('left'), `nothing of the package is left: ${context}`)
    })
    await t.test(
      'gatewright-dev builds a module',
      { skip: isPossible ? false : 'needs root, dpkg, ip and overlays' },
      async (t) => {
        const copy = join(folder, 'modules')
        mkdirSync(copy)
        const words = [join(FIXTURES, 'package-modules.sh'), copy, old, devOf(old)]
        const env = { PATH: process.env.PATH ?? '', HOME: folder }
        const { stdout, stderr, status } = spawnSync(IN_COPY[0], [...IN_COPY.slice(1), 'sh', ...words], {
          encoding: 'utf8',
          env,
          timeout: 300_000,
        })
        t.equal(status, 0, stderr)
        t.match(stdout, 'test=1\nenabled=../mods-available/hello.load\nloaded=1\n', stderr)
        t.match(stdout, /^manual=[1-9]/m)
        t.match(stdout, /^left=0$/m, 'purging it leaves nothing')
      },
    )
  },
)

/** The package that was made together with another, with what modules are built with. */
function devOf(file: string): string {
  return file.replace('/gatewright_', '/gatewright-dev_')
}

/** Makes a package. @returns its file, or undefined */
function packageOf(folder: string, revision: string): string | undefined {
  const words = ['--conditions=gatewright-source', '--disable-warning=ExperimentalWarning', join(ROOT, 'build/package/deb.mjs')]
  // The test runner adds its own Node options to every process that is started from here.
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { stdout, stderr } = spawnSync(process.execPath, [...words, folder, '--fast', '--revision', revision], {
    encoding: 'utf8',
    env,
  })
  const file = /^(.*\.deb): /m.exec(stdout)?.[1]
  if (file === undefined) t.comment(stderr)
  return file
}
