import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  API_CHANGES,
  type CheckOptions,
  pointDiagnostics,
  SourceChecker,
  type SourceDiagnostic,
  upgradeSources,
} from '@gatewright/module-kit'
import t, { type Test } from 'tap'
import { CHANGED, UNCHANGED } from './rows.ts'

const CHECKER = new SourceChecker()
const ROOT = join(import.meta.dirname, '../../../..')
const TYPE_ROOTS = [join(ROOT, 'node_modules/@types')]

/**
 * Options for checking a module against a line of the API, under the name that both lines have for authors.
 */
const against = (line: 'api' | 'api-2.2', files: readonly string[]): CheckOptions => ({
  files,
  packages: { '@gatewright/api': join(ROOT, `packages/${line}/src/index.ts`) },
  typeRoots: TYPE_ROOTS,
})

const VALUES = `DECLINED, DONE, FILTER_RANK, HTTP_FORBIDDEN, HTTP_NOT_FOUND, HTTP_UNAUTHORIZED, M_GET, MethodSet, OK, Table,
  defineModule, directive, escapeHtml, httpDate, httpStatus, optionalFunction`

/** A module whose `register` contains the code. */
const moduleWith = (code: string): string => `import { ${VALUES} } from '@gatewright/api'
import type { Command, Connection, Module, ${code.includes('RequireLine') ? 'RequireLine, ' : ''}Request } from '@gatewright/api'

const answer = (request: Request) => (request.handler === 'x' ? OK : DECLINED)
const sample: Module<{ text?: string }> = defineModule({
  name: 'sample_module',
  source: 'mod_sample.c',
  perDirectory: { create: () => ({}), merge: (base, over) => ({ text: over.text ?? base.text }) },
  directives: {
    Sample: directive.take1({
      scope: 'directory',
      context: ['directory'],
      help: 'a text',
      set: (config, text) => {
        config.text = text
      },
    }),
  },
  register(host) {
    const { hooks, providers, functions, services, log, configOf } = host
    ${code}
  },
})
export default sample
`

/** Writes one module for each row. @returns their files, in the order of the rows */
function written(t: Test, rows: readonly { readonly code: string }[]): string[] {
  const folder = t.testdir()
  return rows.map(({ code }, index) => {
    const file = join(folder, `row${index}.ts`)
    writeFileSync(file, moduleWith(code))
    return file
  })
}

const told = ({ line, code, message }: SourceDiagnostic): string => `${line}: TS${code}: ${message}`

t.test('what httpd did not change builds against both lines', async (t) => {
  const files = written(t, UNCHANGED)
  for (const line of ['api-2.2', 'api'] as const) {
    const problems = CHECKER.check(against(line, files))
    for (const [index, { what }] of UNCHANGED.entries())
      t.strictSame(problems.filter(({ file }) => file === files[index]).map(told), [], `${what}, ${line}`)
  }
})

t.test('what changed builds against 2.2, and stops against 2.4 with a pointer at every problem', async (t) => {
  const files = written(t, CHANGED)
  t.strictSame(CHECKER.check(against('api-2.2', files)).map(told), [])
  const problems = pointDiagnostics(CHECKER.check(against('api', files)))
  for (const [index, { what, anchor }] of CHANGED.entries()) {
    const here = problems.filter(({ file }) => file === files[index])
    t.ok(here.length > 0, `${what} does not build and lie`)
    for (const problem of here) t.equal(problem.pointer, `UPGRADING.md#${anchor}`, `${what}: ${told(problem)}`)
  }
})

t.test('what is mechanical is rewritten so that it builds, and the rest is left alone', async (t) => {
  const files = written(t, CHANGED)
  const { files: rewritten, remaining } = upgradeSources(against('api', files), CHECKER)
  for (const [index, { what, code, upgraded }] of CHANGED.entries()) {
    const file = files[index]
    t.equal(readFileSync(file, 'utf8'), moduleWith(upgraded ?? code), what)
    const left = remaining.filter((problem) => problem.file === file)
    t.equal(left.length === 0, upgraded !== null, `${what}: ${left.map(told).join('; ')}`)
    t.equal(
      rewritten.some((each) => each.file === file),
      upgraded !== null,
      what,
    )
  }
})

t.test('every change has rows here and a section in UPGRADING.md, and every section a change', async (t) => {
  const guide = readFileSync(join(ROOT, 'UPGRADING.md'), 'utf8')
  const sections = [...guide.matchAll(/<a id="(api-[\w-]+)"><\/a>/g)].map(([, anchor]) => anchor)
  const anchors = API_CHANGES.map(({ anchor }) => anchor)
  t.strictSame(
    anchors.filter((anchor) => anchor !== 'api-package' && !CHANGED.some((row) => row.anchor === anchor)),
    [],
  )
  t.strictSame(
    sections.filter((anchor) => !anchor.startsWith('api-same-')),
    anchors,
  )
})
