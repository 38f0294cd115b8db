import { join } from 'node:path'
import { checkSources, printDiagnostic } from '@gatewright/module-kit'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../../..')
const PACKAGES = { '@gatewright/api': join(ROOT, 'packages/api/src/index.ts') }
const TYPE_ROOTS = [join(ROOT, 'node_modules/@types')]

const GOOD = `import { readFileSync } from 'node:fs'
import { DECLINED, defineModule, type Module } from '@gatewright/api'
import { TEXT } from './text.ts'

const hello: Module = defineModule({
  name: 'hello_module',
  source: 'mod_hello.c',
  register({ hooks }) {
    hooks.handler.add((request) => (request.handler === readFileSync('x', 'utf8') ? request.send('text/plain', TEXT) : DECLINED))
  },
})
export default hello
`

t.test('sources outside of any package that keep to the API have no problems', (t) => {
  const folder = t.testdir({ 'index.ts': GOOD, 'text.ts': "export const TEXT = 'hello'\n" })
  t.strictSame(checkSources({ files: [join(folder, 'index.ts')], packages: PACKAGES, typeRoots: TYPE_ROOTS }), [])
  t.end()
})

t.test('names missing in the API, and violations of strictness in an imported file, are reported with their places', (t) => {
  const folder = t.testdir({
    'index.ts': GOOD.replace('hooks.handler', '\thooks.handlers'),
    'text.ts': 'const given = process.env.TEXT\nexport const TEXT: string = given\n',
  })
  const problems = checkSources({ files: [join(folder, 'index.ts')], packages: PACKAGES, typeRoots: TYPE_ROOTS })
  t.match(
    problems.filter(({ code }) => code !== 7006),
    [
      { file: join(folder, 'index.ts'), line: 9, column: 12, code: 2551, message: /'handlers'.*'handler'/ },
      { file: join(folder, 'text.ts'), line: 2, column: 14, code: 2322, message: /undefined/ },
    ],
  )
  t.match(
    printDiagnostic(problems[0], folder),
    /^index\.ts:9:12: error TS2551: .*\n {8}\thooks\.handlers\.add\(.*\n {8}\t {6}\^$/,
  )
  t.ok(printDiagnostic(problems[0], join(folder, 'elsewhere')).startsWith(`${folder}/index.ts:9:12: `))
  t.end()
})

t.test('a file that is not there is a problem in no file', (t) => {
  const missing = join(t.testdir(), 'nothing.ts')
  const problems = checkSources({ files: [missing], packages: PACKAGES, typeRoots: TYPE_ROOTS })
  t.match(problems, [{ file: '', line: 0, column: 0, code: 6053, message: missing }])
  t.match(printDiagnostic(problems[0], '/'), /^error TS6053: File .* not found/)
  t.end()
})

t.test('a package that is given counts before one of that name in node_modules', (t) => {
  const folder = t.testdir({
    'index.ts': "import { given } from 'thing'\nexport const copy: number = given\n",
    given: { 'package.json': '{"types":"./index.d.ts"}', 'index.d.ts': 'export declare const given: number\n' },
    node_modules: { thing: { 'package.json': '{"types":"./index.d.ts"}', 'index.d.ts': 'export declare const given: string\n' } },
  })
  const files = [join(folder, 'index.ts')]
  t.strictSame(checkSources({ files, packages: { thing: join(folder, 'given') }, typeRoots: TYPE_ROOTS }), [])
  t.match(checkSources({ files, typeRoots: TYPE_ROOTS }), [{ code: 2322, line: 2 }])
  t.end()
})

t.test('a promise for a function that is not awaited does not compile', (t) => {
  const moduleWith = (fn: string): string =>
    GOOD.replace(/hooks\.handler.*/, `hooks.preConnection.add(${fn})`)
      .replace(/import \{ (TEXT|readFileSync).*\n/g, '')
      .replace('DECLINED, ', '')
  const functions = ['async () => {}', '() => {}', '() => [].length', '() => void Promise.resolve()']
  const names = functions.map((_, index) => `mod${index}.ts`)
  const folder = t.testdir(Object.fromEntries(functions.map((fn, index) => [names[index], moduleWith(fn)])))
  const files = names.map((name) => join(folder, name))
  t.match(checkSources({ files, packages: PACKAGES, typeRoots: TYPE_ROOTS }), [{ file: files[0], code: 2345 }])
  t.end()
})
