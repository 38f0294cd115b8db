import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')
const DEPCRUISE = join(ROOT, 'node_modules/.bin/depcruise')

/** Forbidden imports: the importing file, the import, and the rule that must reject it. */
const FORBIDDEN: readonly { from: string; code: string; rule: string }[] = [
  { from: 'packages/api/src', code: "import '@gatewright/ipset'", rule: 'api-imports' },
  {
    from: 'packages/config/src',
    code: "import type { AnyModule } from '@gatewright/core'\nexport type X = AnyModule",
    rule: 'config-imports',
  },
  { from: 'packages/log/src', code: "import '@gatewright/expr'", rule: 'log-imports' },
  { from: 'packages/ipset/src', code: "import '@gatewright/api'", rule: 'ipset-imports' },
  { from: 'packages/x509/src', code: "import '@gatewright/ipset'", rule: 'x509-imports' },
  { from: 'packages/core/src', code: "import '@gatewright/mpm'", rule: 'core-imports' },
  { from: 'packages/core/src', code: "import 'mod_status'", rule: 'core-imports' },
  { from: 'packages/core/src/base', code: "import '../model/inside.ts'", rule: 'core-base-imports' },
  {
    from: 'packages/core/src/model',
    code: "import type { A } from '../host/inside.ts'\nexport type B = A",
    rule: 'core-model-imports',
  },
  { from: 'packages/core/src/lifecycle', code: "import '../host/inside.ts'", rule: 'core-lifecycle-imports' },
  { from: 'packages/core/src/novel', code: "import '../base/inside.ts'", rule: 'no-unlisted-core-folder' },
  { from: 'packages/mpm/src', code: "import '@gatewright/cli'", rule: 'mpm-imports' },
  { from: 'modules/mod_status/src', code: "import '@gatewright/core'", rule: 'module-imports' },
  { from: 'modules/mod_status/src', code: "import 'mod_authz_core'", rule: 'module-imports' },
  { from: 'modules/mod_status/src', code: "import 'pino'", rule: 'unlisted-dependency' },
  { from: 'modules/mod_status/src', code: "import '../../../packages/api/src/inside.ts'", rule: 'not-into-a-package' },
  { from: 'packages/novel/src', code: "import '@gatewright/api'", rule: 'no-unlisted-package' },
  { from: 'packages/ipset/src', code: "import '../test/helper.ts'", rule: 'no-tests-in-sources' },
  { from: 'modules/mod_status/test', code: "import '../../mod_env/test/helper.ts'", rule: 'own-test-folder' },
  { from: 'packages/policy/src/site', code: "import '../migrate/inside.ts'", rule: 'policy-site-imports' },
  { from: 'packages/policy/src/lint', code: "import '../migrate/inside.ts'", rule: 'policy-lint-imports' },
  { from: 'packages/policy/src/mistakes', code: "import '../lint/inside.ts'", rule: 'policy-mistakes-imports' },
  { from: 'packages/policy/src/stages', code: "import '../index.ts'", rule: 'policy-stages-imports' },
  { from: 'packages/policy/src', code: "import './site/inside.ts'", rule: 'policy-files-imports' },
  { from: 'packages/policy/src/novel', code: "import '../index.ts'", rule: 'no-unlisted-policy-folder' },
]

const ALLOWED: readonly { from: string; code: string }[] = [
  { from: 'packages/core/src', code: "import '@gatewright/http'\nimport '@gatewright/passwd'" },
  { from: 'packages/core/src/lifecycle', code: "import '../model/inside.ts'\nimport '../base/inside.ts'" },
  { from: 'packages/cli/src', code: "import '@gatewright/mpm'\nimport 'mod_logio'" },
  { from: 'modules/mod_status/src', code: "import '@gatewright/api'\nimport '@gatewright/ipset'" },
  { from: 'modules/mod_status/test', code: "import '@gatewright/testing'\nimport './support/helper.ts'" },
  { from: 'packages/policy/src/lint', code: "import '../site/inside.ts'\nimport '../question.ts'" },
]

t.test('each arrow that the picture does not have is refused, by the rule that names it', (t) => {
  const tree = emptyRooms(t.testdir())
  for (const [index, { from, code }] of FORBIDDEN.entries()) writeProbe(tree, `${from}/probe-${index}.ts`, code)
  writeProbe(tree, 'packages/ipset/test/helper.ts', '')
  writeProbe(tree, 'modules/mod_env/test/helper.ts', '')
  writeTargets(tree)
  const { status, stdout } = depcruise(tree)
  t.not(status, 0)
  for (const [index, { from, code, rule }] of FORBIDDEN.entries()) {
    t.match(stdout, `${rule}: ${from}/probe-${index}.ts`, `${from}: ${code}`)
  }
  t.end()
})

t.test('a cycle of values is refused, a cycle of types is not', (t) => {
  const tree = emptyRooms(t.testdir())
  writeProbe(tree, 'packages/ipset/src/hen.ts', "import './egg.ts'")
  writeProbe(tree, 'packages/ipset/src/egg.ts', "import './hen.ts'")
  writeProbe(tree, 'packages/api/src/lock.ts', "import type { Key } from './key.ts'\nexport type Lock = Key | 1")
  writeProbe(tree, 'packages/api/src/key.ts', "import type { Lock } from './lock.ts'\nexport type Key = Lock | 2")
  const { stdout } = depcruise(tree)
  t.match(stdout, /no-cycles: packages\/ipset\/src\/(hen|egg)\.ts/)
  t.notMatch(stdout, 'packages/api')
  t.end()
})

t.test('arrows of the picture are accepted, and so is what tests import', (t) => {
  const tree = emptyRooms(t.testdir())
  for (const [index, { from, code }] of ALLOWED.entries()) writeProbe(tree, `${from}/probe-${index}.ts`, code)
  writeTargets(tree)
  const { status, stdout } = depcruise(tree)
  t.equal(status, 0, stdout)
  t.end()
})

/** Writes the files that the probes import by path. */
function writeTargets(tree: string): void {
  const folders = ['api/src', 'core/src/base', 'core/src/model', 'core/src/host']
  for (const folder of [...folders, 'policy/src/site', 'policy/src/lint', 'policy/src/migrate'])
    writeProbe(tree, `packages/${folder}/inside.ts`, 'export type A = 1')
  writeProbe(tree, 'packages/policy/src/question.ts', '')
  writeProbe(tree, 'modules/mod_status/test/support/helper.ts', '')
}

/** All rooms of the project with nothing in them but an index file, so that a probe never touches the real tree. */
function emptyRooms(tree: string): string {
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) cpSync(join(ROOT, file), join(tree, file))
  mkdirSync(join(tree, 'node_modules/@gatewright'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules/pino'), join(tree, 'node_modules/pino'))
  for (const group of ['packages', 'modules']) {
    for (const name of readdirSync(join(ROOT, group))) {
      const room = join(tree, group, name)
      mkdirSync(join(room, 'src'), { recursive: true })
      cpSync(join(ROOT, group, name, 'package.json'), join(room, 'package.json'))
      writeFileSync(join(room, 'src/index.ts'), 'export {}\n')
      symlinkSync(room, join(tree, 'node_modules', group === 'packages' ? '@gatewright' : '', name))
    }
  }
  return tree
}

function writeProbe(tree: string, file: string, code: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true })
  writeFileSync(join(tree, file), `${code}\nexport {}\n`)
}

function depcruise(cwd: string): { status: number | null; stdout: string } {
  const args = [DEPCRUISE, '--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'packages', 'modules']
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
}
