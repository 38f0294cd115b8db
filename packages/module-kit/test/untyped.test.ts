import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pointDiagnostics, SourceChecker, upgradeReport, upgradeSources } from '@gatewright/module-kit'
import t, { type Test } from 'tap'

const ROOT = join(import.meta.dirname, '../../..')
const PACKAGES = { '@gatewright/api': join(ROOT, 'packages/api/src/index.ts') }
const TYPE_ROOTS = [join(ROOT, 'node_modules/@types')]
const CHECKER = new SourceChecker()

/** A module with an access rule. @param above text before the definition */
const moduleWith = (rule: string, above = ''): string => `import { DECLINED, defineModule, HTTP_FORBIDDEN } from '@gatewright/api'
${above}
export default defineModule({
  name: 'x_module',
  source: 'mod_x.c',
  register({ hooks }) {
    hooks.accessChecker.add(${rule})
  },
})
`

/** Files by name, and folders of them. */
interface Files {
  readonly [name: string]: string | Files
}

/** @returns the place and row of each problem of a module: `8 api-client-address` */
function problemsOf(t: Test, files: Files, entry = Object.keys(files)[0]): readonly string[] {
  const folder = t.testdir({ ...files })
  const found = pointDiagnostics(CHECKER.check({ files: [join(folder, entry)], packages: PACKAGES, typeRoots: TYPE_ROOTS }))
  return found.map(({ line, message, pointer }) => `${line} ${pointer?.replace('UPGRADING.md#', '') ?? message}`)
}

const BY_ADDRESS = "(request.connection.remoteIp === '127.0.0.1' ? HTTP_FORBIDDEN : DECLINED)"

/** The form of a module of the 2.2 line, its file, its access rule, the text before it, and the problems. */
const FORMER: readonly (readonly [string, string, string, string, readonly string[]])[] = [
  ['JavaScript', 'mod_x.js', `(request) => ${BY_ADDRESS}`, '', ['7 api-client-address']],
  [
    'JavaScript with the order of its hook',
    'mod_x.js',
    `(request) => ${BY_ADDRESS}, null, null, 'first'`,
    '',
    ['7 api-client-address', '7 api-hook-order'],
  ],
  ['a parameter of type any', 'mod_x.ts', `(request: any) => ${BY_ADDRESS}`, '', ['7 api-client-address']],
  ['a function of JavaScript', 'mod_x.js', 'rule', `function rule(request) { return ${BY_ADDRESS} }`, ['2 api-client-address']],
  [
    'a cast to any in a comment',
    'mod_x.js',
    '(request) => (/** @type {any} */ (request).requires() ? HTTP_FORBIDDEN : DECLINED)',
    '',
    ['7 api-require-lines'],
  ],
  [
    'brackets',
    'mod_x.ts',
    "(request: any) => (request['someAuthRequired']() ? HTTP_FORBIDDEN : DECLINED)",
    '',
    ['7 api-some-auth-required'],
  ],
  ['a pattern', 'mod_x.ts', '({ requires }: any) => (requires() ? HTTP_FORBIDDEN : DECLINED)', '', ['7 api-require-lines']],
  [
    'a nested pattern of JavaScript',
    'mod_x.js',
    'rule',
    "const rule = ({ connection: { remoteIp } }) => (remoteIp === '::1' ? HTTP_FORBIDDEN : DECLINED)",
    ['2 api-client-address'],
  ],
  [
    'hooks and services of type any',
    'mod_x.js',
    '() => DECLINED',
    `export function more({ hooks, services }) {
  hooks.handler.add((request) => DECLINED, null, null, 'first')
  hooks.fixups.add(() => DECLINED, ['mod_a.c'])
  hooks.monitor.add(() => undefined)
  hooks.checkUserId.add((request) => (services.authType(request) ? services.remoteHost(request.connection) : DECLINED))
}`,
    ['3 api-hook-order', '4 api-hook-order', '5 api-gone-hooks', '6 api-auth-functions', '6 api-remote-host'],
  ],
  ['a file that is not to be checked', 'mod_x.js', `(request) => ${BY_ADDRESS}`, '// @ts-nocheck', ['7 api-client-address']],
  ['a line that is not to be checked', 'mod_x.ts', `\n// @ts-ignore\n(request) => ${BY_ADDRESS}`, '', ['9 api-client-address']],
]

for (const [what, name, rule, above, expected] of FORMER) {
  t.test(`uses of the 2.2 API do not pass in ${what}`, async (t) => {
    const text = moduleWith(rule, above)
    const source = above.startsWith('// @ts') ? `${above}\n${text.replace(`\n${above}\n`, '\n')}` : text
    t.strictSame(problemsOf(t, { [name]: source }), expected)
  })
}

t.test('a use of the 2.2 API in an imported JavaScript file is reported at its place', async (t) => {
  const files = {
    'mod_x.ts': moduleWith('rule', "import { rule } from './rule.js'"),
    'rule.js': `import { DECLINED, HTTP_FORBIDDEN } from '@gatewright/api'\n\nexport const rule = (request) => ${BY_ADDRESS}\n`,
  }
  t.strictSame(problemsOf(t, files), ['3 api-client-address'])
})

t.test('JavaScript that keeps to the API has no problems, whatever it leaves unsaid', async (t) => {
  const text = moduleWith(
    '(request) => decide(request, cache)',
    `import { readFileSync } from 'node:fs'

const cache = {}
const started = new Date()
class Counter {
  constructor(options) { Object.assign(this, options) }
  get full() { return this.count > this.limit }
}
function decide(request, seen, { limit } = {}) {
  seen[request.useragentAddress] = (seen[request.useragentAddress] ?? 0) + 1
  if (new Date() - started > parseInt(5) && new Counter({ count: 1 }).full) return 403
  try {
    if (readFileSync('/x').missing) return limit
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return request.user.length > 3 && request.authType === 'Basic' ? HTTP_FORBIDDEN : DECLINED
}`,
  )
  await t.test('alone', async (t) => {
    t.strictSame(problemsOf(t, { 'mod_x.js': text }), [])
  })
  await t.test('imported by TypeScript', async (t) => {
    t.strictSame(problemsOf(t, { 'index.ts': "import x from './mod_x.js'\nexport default x\n", 'mod_x.js': text }), [])
  })
})

t.test('a name that the API does not have is reported in JavaScript', async (t) => {
  const found = problemsOf(t, { 'mod_x.js': moduleWith('(request) => (request.uzer ? HTTP_FORBIDDEN : DECLINED)') })
  t.equal(found.length, 1)
  t.match(found[0], /^7 Property 'uzer' does not exist on type 'Request'/)
})

t.test(
  "a module's own property with a name of the 2.2 API passes where its type, its package or JSON.parse tells it apart",
  async (t) => {
    const above = `import semver from 'untyped-semver'

const state = { remoteIp: '', loglevel: 'debug' }
state.remoteIp = '127.0.0.1'
class Entry {
  constructor() { this.remoteIp = '::1' }
}
const { rules, requires } = JSON.parse('{}')
/** @param {{ remoteIp: string }} row @param {Record<string, any>} all */
const addressOf = (row, all) => row.remoteIp + all.requires + requires + rules.satisfies + JSON.parse('{}').loglevel
const allowed = () => semver.satisfies('1', '2') || new Entry().remoteIp === addressOf({ remoteIp: state.remoteIp }, {})`
    const files = {
      'mod_x.js': moduleWith('() => (allowed() ? DECLINED : HTTP_FORBIDDEN)', above),
      node_modules: {
        'untyped-semver': {
          'package.json': '{"type":"module","main":"index.js"}',
          'index.js': 'export default { satisfies: () => true }\n',
        },
      },
    }
    t.strictSame(problemsOf(t, files), [])
  },
)

t.test('a property of an object of unknown type is reported with what makes it pass', async (t) => {
  const above = `export const addressOf = (row) => row.remoteIp
export const nameOf = (/** @type {{ remoteIp: string }} */ row) => row.remoteIp`
  const folder = t.testdir({ 'mod_x.js': moduleWith('() => DECLINED', above) })
  const found = CHECKER.check({ files: [join(folder, 'mod_x.js')], packages: PACKAGES, typeRoots: TYPE_ROOTS })
  t.match(found, [{ line: 2, row: 'api-client-address' }])
  t.match(found[0].message, /not an object of the API, declare its type: .*\/\*\* @type \{\{ remoteIp: \.\.\. \}\} \*\//)
})

t.test('an upgrade leaves what it knows by name alone to the author, and reports it', async (t) => {
  const text = moduleWith(
    `(request) => ${BY_ADDRESS}, null, null, 'first'`,
    'export const addressOf = (request) => request.connection.remoteIp',
  )
  const folder = t.testdir({ 'mod_x.js': text })
  const result = upgradeSources({ files: [join(folder, 'mod_x.js')], packages: PACKAGES, typeRoots: TYPE_ROOTS }, CHECKER)
  t.equal(
    readFileSync(join(folder, 'mod_x.js'), 'utf8'),
    text
      .replace('(request.connection.remoteIp ===', '(request.useragentAddress ===')
      .replace("null, null, 'first'", "{ rank: 'first' }"),
  )
  t.match(result.remaining, [{ line: 2, pointer: 'UPGRADING.md#api-client-address' }])
  t.match(upgradeReport(result, folder), /left to do by hand:\nmod_x\.js:2:/)
})
