import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleConfig, readModuleFile } from '@gatewright/module-kit'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../../..')
const TSUP = join(ROOT, 'node_modules/.bin/tsup')

t.test('tsup with moduleConfig makes one stamped file, and puts it into a server root that is staged', (t) => {
  const tree = copyOfProbe(t.testdir())
  mkdirSync(join(tree, 'dist/modules'), { recursive: true })
  const { status, stderr } = runTsup(join(tree, 'modules/mod_probe'))
  t.equal(status, 0, stderr)
  const built = join(tree, 'modules/mod_probe/dist/mod_probe.mjs')
  t.match(readModuleFile(built), { intact: true, stamp: { cookie: 'AP24', module: 'probe_module', source: 'mod_probe.c' } })
  t.strictSame(readFileSync(join(tree, 'dist/modules/mod_probe.mjs')), readFileSync(built))
  t.end()
})

t.test('a module that cannot be stamped fails its build', (t) => {
  const tree = copyOfProbe(t.testdir())
  writeFileSync(join(tree, 'modules/mod_probe/src/index.ts'), 'export default {}\n')
  const { status, stdout, stderr } = runTsup(join(tree, 'modules/mod_probe'))
  t.not(status, 0)
  t.match(stdout + stderr, 'no defineModule')
  t.end()
})

t.test('a name that LoadModule could not map is refused', (t) => {
  t.throws(() => moduleConfig('probe'), { name: 'TypeError', message: /must begin with mod_: probe/ })
  t.end()
})

/** A tree with the project's layout in which the built module has a staged server root beside it. */
function copyOfProbe(tree: string): string {
  cpSync(join(ROOT, 'test/fixtures/mod_probe'), join(tree, 'modules/mod_probe'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  cpSync(join(ROOT, 'tsconfig.json'), join(tree, 'tsconfig.json'))
  return tree
}

function runTsup(cwd: string): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, NODE_OPTIONS: '--conditions=gatewright-source --disable-warning=ExperimentalWarning' }
  return spawnSync(process.execPath, [TSUP], { cwd, env, encoding: 'utf8' })
}
