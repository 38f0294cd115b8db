import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')
const RUN = 'build/run.mjs'

function parsed<T>(file: string): T {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
}

t.test('every suite has a file and an npm script of its name, and no script has a pre script', async (t) => {
  const suites = parsed<Record<string, { readonly file: string }>>('build/suites.json')
  const { scripts } = parsed<{ readonly scripts: Record<string, string> }>('package.json')
  for (const [name, { file }] of Object.entries(suites)) {
    t.match(scripts[name], new RegExp(`\\bnode ${RUN} ${name}$`), name)
    t.ok(existsSync(join(ROOT, file)), file)
  }
  t.strictSame(
    Object.keys(scripts).filter((name) => name.startsWith('pre')),
    [],
  )
})

t.test('every test that npm test leaves out exists, and the list is in order', async (t) => {
  const listed = readFileSync(join(ROOT, 'build/longer-tests.txt'), 'utf8').trimEnd().split('\n')
  for (const file of listed) t.ok(existsSync(join(ROOT, file)), file)
  t.strictSame(listed, [...new Set(listed)].sort())
})

t.test('a suite runs after the bootstrap, with its own arguments before those of the command line', async (t) => {
  const tree = project(t.testdir(), { all: { file: 'test/suite.mjs', args: ['first'] } })
  const { status, stdout } = run(tree, ['all', '--seed', '1'])
  t.equal(stdout, 'bootstrap\nsuite first --seed 1\nflags\n')
  t.equal(status, 3, 'the status of the suite')
})

t.test('a suite that imports packages runs from their sources', async (t) => {
  const tree = project(t.testdir(), { all: { file: 'test/suite.mjs', sources: true } })
  t.match(run(tree, ['all']).stdout, 'flags --conditions=gatewright-source --disable-warning=ExperimentalWarning\n')
})

t.test('nothing runs after a failed bootstrap', async (t) => {
  const tree = project(t.testdir(), { all: { file: 'test/suite.mjs' } })
  writeFileSync(join(tree, 'build/bootstrap.cjs'), 'process.exitCode = 4')
  t.match(run(tree, ['all']), { status: 4, stdout: '' })
})

t.test('an unknown name is refused with the names that there are', async (t) => {
  const tree = project(t.testdir(), { all: { file: 'test/suite.mjs', about: 'everything' } })
  t.match(run(tree, ['al']), { status: 2, stdout: '', stderr: /^run: there is no al\nhint: .*\n {2}all +everything\n$/ })
  t.match(run(tree, []), { status: 2, stderr: /^run: no name is given\n/ })
})

t.test('a signal ends the suite and is its status', async (t) => {
  const tree = project(t.testdir(), { all: { file: 'test/waits.mjs' } })
  const child = spawn(process.execPath, [join(tree, RUN), 'all'], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.on('data', (text: Buffer) => text.includes('waits') && child.kill('SIGTERM'))
  const status = await new Promise((resolve) => child.on('exit', resolve))
  t.equal(status, 128 + 15)
})

/** A tree with the project's layout whose bootstrap and suites only report their calls. */
function project(tree: string, suites: Readonly<Record<string, unknown>>): string {
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  for (const file of ['run.mjs', 'inputs.cjs']) cpSync(join(ROOT, 'build', file), join(tree, 'build', file))
  write('build/suites.json', JSON.stringify(suites))
  write('build/bootstrap.cjs', "console.log('bootstrap')")
  write(
    'test/suite.mjs',
    `console.log(['suite', ...process.argv.slice(2)].join(' '))
     console.log(['flags', ...process.execArgv].join(' '))
     process.exitCode = 3`,
  )
  write('test/waits.mjs', "setInterval(() => console.log('waits'), 20)")
  return tree
}

function run(tree: string, words: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  // The test runner passes its own flags through the environment.
  const env = { ...process.env, NODE_OPTIONS: '' }
  return spawnSync(process.execPath, [join(tree, RUN), ...words], { encoding: 'utf8', env })
}
