import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')
const INCLUDE = join(ROOT, 'dist/include/@gatewright/api')

t.test('every name in the declarations that authors get is declared in them', { timeout: 120_000 }, async (t) => {
  const folder = t.testdir()
  const entries = readdirSync(INCLUDE).filter((name) => /^\w+\.d\.ts$/.test(name))
  t.ok(entries.includes('index.d.ts'))
  const text = entries
    .map((name, index) => `export type * as e${index} from '${INCLUDE}/${name.replace('.d.ts', '.js')}'`)
    .join('\n')
  writeFileSync(join(folder, 'all.ts'), `${text}\n`)
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    'false',
    '--module',
    'nodenext',
    '--target',
    'es2024',
  ]
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  const { stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...types, join(folder, 'all.ts')], {
    encoding: 'utf8',
    cwd: folder,
  })
  t.notMatch(`${stdout}${stderr}`, /error TS[56]\d{3}:/, 'the compiler accepts its options')
  // Errors in other declarations, such as those of Node, are not ours.
  t.strictSame(
    stdout.split('\n').filter((line) => line.includes('@gatewright')),
    [],
  )
})
