import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')

t.test('a fresh clone is installed, prepared and built in this order; a second call does nothing', (t) => {
  const tree = freshClone(t.testdir())
  t.match(bootstrap(tree), { status: 0 })
  t.strictSame(steps(tree), ['npm install', 'tap build', 'build --changed'])
  const second = bootstrap(tree)
  t.match(second, { status: 0, stdout: '', stderr: '' })
  t.strictSame(steps(tree), [])
  t.end()
})

t.test('an edited source, a changed configuration or a missing dist is built again, and nothing else is done', (t) => {
  const tree = freshClone(t.testdir())
  bootstrap(tree)
  steps(tree)
  appendFileSync(join(tree, 'modules/mod_a/src/index.ts'), '// edited\n')
  bootstrap(tree)
  t.strictSame(steps(tree), ['build --changed'])
  appendFileSync(join(tree, 'conf/httpd.conf'), '# edited\n')
  bootstrap(tree)
  t.strictSame(steps(tree), ['build --changed'])
  rmSync(join(tree, 'dist'), { recursive: true })
  bootstrap(tree)
  t.strictSame(steps(tree), ['build --changed'])
  t.end()
})

t.test('another lock file means installing again; another test configuration only prepares the runner', (t) => {
  const tree = freshClone(t.testdir())
  bootstrap(tree)
  steps(tree)
  writeFileSync(join(tree, '.taprc'), 'plugin: []\n')
  bootstrap(tree)
  t.strictSame(steps(tree), ['tap build'])
  writeFileSync(join(tree, 'package-lock.json'), '{ "lockfileVersion": 3 }\n')
  bootstrap(tree)
  t.strictSame(steps(tree), ['npm install', 'tap build', 'build --changed'])
  t.end()
})

t.test('a step that fails is tried again next time', (t) => {
  const tree = freshClone(t.testdir())
  t.match(bootstrap(tree, { FAIL: 'build' }), { status: 1, stderr: /bootstrap: the build failed/ })
  steps(tree)
  t.match(bootstrap(tree), { status: 0 })
  t.strictSame(steps(tree), ['build --changed'])
  t.end()
})

t.test('without a network the message mentions that and what to check', (t) => {
  const tree = freshClone(t.testdir())
  const { status, stderr } = bootstrap(tree, { FAIL: 'npm' })
  t.equal(status, 1)
  t.match(stderr, /npm error code ENOTFOUND/)
  t.match(stderr, /^hint: the package registry cannot be reached/m)
  t.end()
})

t.test('a workspace selected on the command line does not narrow what is installed', (t) => {
  const tree = freshClone(t.testdir())
  bootstrap(tree, { npm_config_workspace: 'mod_a', npm_config_registry: 'https://registry.test/' })
  const seen = JSON.parse(readFileSync(join(tree, 'npm-saw.json'), 'utf8'))
  t.strictSame(seen, { registry: 'https://registry.test/' })
  t.end()
})

/**
 * A tree with the project's layout whose npm, tap and build only record their calls and create their output.
 */
function freshClone(tree: string): string {
  for (const file of ['bootstrap.cjs', 'inputs.cjs']) cpSync(join(ROOT, 'build', file), join(tree, 'build', file))
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  write('package-lock.json', '{}\n')
  write('.taprc', '')
  write('conf/httpd.conf', '')
  write('packages/api/package.json', '{}')
  write('modules/mod_a/package.json', '{}')
  write('modules/mod_a/src/index.ts', 'export {}\n')
  write(
    'npm.cjs',
    `const fs = require('node:fs')
     if (process.env.FAIL === 'npm') { console.error('npm error code ENOTFOUND'); process.exit(1) }
     fs.appendFileSync('steps', 'npm ' + process.argv[2] + '\\n')
     fs.writeFileSync('npm-saw.json', JSON.stringify({ registry: process.env.npm_config_registry, workspace: process.env.npm_config_workspace }))
     fs.mkdirSync('node_modules/.bin', { recursive: true })
     fs.mkdirSync('node_modules/@tapjs/test', { recursive: true })
     fs.writeFileSync('node_modules/.package-lock.json', '')
     fs.writeFileSync('node_modules/@tapjs/test/package.json', '')
     fs.writeFileSync('node_modules/.bin/tap', "require('node:fs').appendFileSync('steps', 'tap ' + process.argv[2] + '\\\\n')")
     fs.rmSync('node_modules/.bin/node', { force: true })
     fs.symlinkSync(process.execPath, 'node_modules/.bin/node')`,
  )
  write(
    'build/build.mjs',
    `import fs from 'node:fs'
     if (process.env.FAIL === 'build') process.exit(1)
     fs.appendFileSync('steps', 'build ' + process.argv[2] + '\\n')
     fs.mkdirSync('dist/bin', { recursive: true })
     fs.writeFileSync('dist/bin/httpd', '')`,
  )
  chmodSync(join(tree, 'build/bootstrap.cjs'), 0o644)
  return tree
}

function bootstrap(tree: string, extra: NodeJS.ProcessEnv = {}): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, NODE_OPTIONS: '', npm_execpath: join(tree, 'npm.cjs'), ...extra }
  return spawnSync(process.execPath, [join(tree, 'build/bootstrap.cjs')], { cwd: tree, env, encoding: 'utf8' })
}

/** The calls since the last query. */
function steps(tree: string): string[] {
  const file = join(tree, 'steps')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  rmSync(file)
  return text.trim().split('\n')
}
