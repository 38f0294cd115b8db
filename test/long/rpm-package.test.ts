import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { canCopy, has, IN_COPY } from '../fixtures/copied-system.ts'

const ROOT = join(import.meta.dirname, '../..')
const FIXTURES = join(ROOT, 'test/fixtures')

const needed = ['rpmbuild', 'rpm', 'strip'].filter((program) => !has(program))
const skip = needed.length === 0 ? false : `needs ${needed.join(', ')}`

t.test(
  'the package for RPM has the files of the package for Debian, serves, is upgraded under load without a failed request, and is removed',
  { skip },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatewright-package-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const [old, young] = ['1', '2'].map((release) => packageOf(folder, release))
    t.ok(old && young, 'one command makes a package')
    if (old === undefined || young === undefined) return

    t.test('its files, settings and scripts can be queried', async (t) => {
      const files = query(old, '-l')
      for (const path of ['/etc/gatewright/gatewright.conf', '/usr/sbin/gatewright-httpd', '/usr/lib/gatewright/node'])
        t.ok(files.includes(path), path)
      t.ok(files.includes('/usr/lib/systemd/system/gatewright.service'))
      t.notOk(
        files.some((path) => /Debian|vendor-completions/.test(path)),
        'nothing of Debian alone',
      )
      const settings = query(old, '-c')
      t.ok(settings.includes('/etc/gatewright/ports.conf'))
      t.ok(settings.every((path) => path.startsWith('/etc/')))
      t.ok(query(old, '--requires').includes('shadow-utils'))
      t.match(query(old, '--scripts').join('\n'), /postinstall scriptlet[\s\S]*gwensite -q 000-default/)
    })

    const isPossible = process.getuid?.() === 0 && has('curl') && has('ip') && canCopy()
    await t.test('its life', { skip: isPossible ? false : 'needs root, curl, ip and overlays' }, async (t) => {
      const copy = join(folder, 'copy')
      mkdirSync(copy)
      const words = [copy, old, young, process.execPath, join(FIXTURES, 'package-visitor.mjs')]
      const env = { PATH: process.env.PATH ?? '', HOME: folder }
      const run = spawnSync(IN_COPY[0], [...IN_COPY.slice(1), 'sh', join(FIXTURES, 'rpm-life.sh'), ...words], {
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
        version: /-2$/,
        kept: '1',
        disabled: '1',
        stopped: '000',
        saved: 'yes',
        page: 'gone',
      })
      const visits: { readonly requests: number; readonly failures: readonly string[] } = JSON.parse(
        results.get('visits') ?? '{}',
      )
      t.ok(visits.requests > 0)
      t.strictSame(visits.failures, [], 'no request failed during the upgrade')
      t.notOk(results.has('left'), `nothing of the package is left: ${context}`)
    })

    await t.test('gatewright-devel builds a module', { skip: isPossible ? false : 'needs root, ip and overlays' }, async (t) => {
      const copy = join(folder, 'modules')
      mkdirSync(copy)
      const words = [join(FIXTURES, 'package-modules.sh'), copy, old, develOf(old)]
      const env = { PATH: process.env.PATH ?? '', HOME: folder }
      const { stdout, stderr, status } = spawnSync(IN_COPY[0], [...IN_COPY.slice(1), 'sh', ...words], {
        encoding: 'utf8',
        env,
        timeout: 300_000,
      })
      t.equal(status, 0, stderr)
      t.match(stdout, /^requires=gatewright = [\d.]+-1$/m, 'it belongs to the server of the same release')
      t.match(stdout, 'test=1\nenabled=../mods-available/hello.load\nloaded=1\n', stderr)
      t.match(stdout, /^manual=[1-9]/m)
      t.match(stdout, /^left=0$/m, 'removing it leaves nothing')
    })
  },
)

/** The package that was made together with another, with what modules are built with. */
function develOf(file: string): string {
  return file.replace(/\/gatewright-(?=[^/]*$)/, '/gatewright-devel-')
}

/** The lines of an answer about a package's file. */
function query(file: string, what: string): string[] {
  return spawnSync('rpm', ['-qp', what, file], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '')
}

/** Makes a package. @returns its file, or undefined */
function packageOf(folder: string, release: string): string | undefined {
  const words = ['--conditions=gatewright-source', '--disable-warning=ExperimentalWarning', join(ROOT, 'build/package/rpm.mjs')]
  // The test runner adds its own Node options to every process that is started from here.
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { stdout, stderr } = spawnSync(process.execPath, [...words, folder, '--fast', '--release', release], {
    encoding: 'utf8',
    env,
  })
  const file = /^(.*\.rpm): /m.exec(stdout)?.[1]
  if (file === undefined) t.comment(stderr)
  return file
}
