import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import { RULES } from '@gatewright/policy'
import t from 'tap'
import { falseAbsences } from '../build/pages/absences.ts'
import { type Claim, falseClaims, type SourceFile, tooLongFiles } from '../build/pages/claims.ts'
import { type KnownCommands, wrongCommands } from '../build/pages/commands.ts'
import { COLLECTED, collectDifferences } from '../build/pages/differences.ts'
import { brokenLinks } from '../build/pages/links.ts'
import { missingFiles } from '../build/pages/named-files.ts'
import { type Page, readPages } from '../build/pages/pages.ts'
import { faultsOfWalk, filesOfWalk } from '../build/pages/walks.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGES = readPages(ROOT)
const MODULES: ReadonlySet<string> = new Set(readdirSync(join(ROOT, 'modules')))
const SCRIPTS: ReadonlyMap<string, string> = new Map(Object.entries(JSON.parse(textOf('package.json')).scripts))
/** The files of the scripts that start a suite. */
const SUITES: ReadonlyMap<string, { readonly file: string }> = new Map(Object.entries(JSON.parse(textOf('build/suites.json'))))

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function page(path: string): string {
  return PAGES.find((each) => each.path === path)?.text ?? ''
}

function sources(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: ROOT, exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path) })
}

/** The declarations of a program's options. */
const DECLARED: ReadonlyMap<string, readonly string[]> = new Map([
  ...[
    ...['httpd', 'apachectl', 'apxs', 'htpasswd', 'htdigest', 'htdbm', 'httxt2dbm'],
    ...['rotatelogs', 'logresolve', 'split-logfile', 'check_forensic', 'htcacheclean'],
  ].map((name): [string, string[]] => [name, ['packages/cli/src/**/*.ts', 'build/bin/*']]),
  // rebuild hands its options on to configure.
  ['gatewright', ['packages/cli/src/gatewright/**/*.ts', 'packages/module-kit/src/configure/*.ts']],
  ...['configure', 'install', 'config.nice'].map((name): [string, string[]] => [
    name,
    ['packages/module-kit/src/{configure,install}/*.ts', 'build/*.mjs', 'build/{configure,install}'],
  ]),
])

const declarations = new Map<string, string | undefined>()

const KNOWN: KnownCommands = {
  scripts: new Set(SCRIPTS.keys()),
  workspaces: MODULES,
  sourceOf(program) {
    if (!declarations.has(program)) declarations.set(program, declarationsOf(program))
    return declarations.get(program)
  },
}

function declarationsOf(program: string): string | undefined {
  const name = program.replace(/^npm run /, '')
  const file = SUITES.get(name)?.file ?? /\b(?:build|test)\/\S+/.exec(SCRIPTS.get(name) ?? '')?.[0]
  // A script's options are declared in it, or in the file that it starts.
  const patterns =
    DECLARED.get(program) ?? (file === undefined ? undefined : [`${dirname(file)}/*.{ts,mjs}`, 'test/conformance/*.mjs'])
  return patterns === undefined
    ? undefined
    : sources(...patterns)
        .map(textOf)
        .join('\n')
}

const CLAIMS: readonly Claim[] = [
  { page: 'CHANGELOG.md', statement: /Module\s+API\s+2\.4\.(\d+)\b/, actual: Number(API_VERSION.split('.')[2]), kind: 'count' },
  { page: 'CHANGELOG.md', statement: /^- (\d+)\s+modules\s+besides\s+core/m, actual: MODULES.size, kind: 'count' },
  { page: 'CHANGELOG.md', statement: /\b(\d+)\s+rules\s+with\s+a\s+page\s+each/, actual: RULES.length, kind: 'count' },
  {
    page: 'CONTRIBUTING.md',
    statement: /`README\.md`:\s+at\s+most\s+(\d+)\s+lines/,
    actual: lines(page('README.md')),
    kind: 'limit',
  },
  {
    page: 'CONTRIBUTING.md',
    statement: /`docs\/architecture\.md`:\s+at\s+most\s+([\d,]+)\s+words/,
    actual: page('docs/architecture.md').split(/\s+/).length,
    kind: 'limit',
  },
]

function lines(text: string): number {
  return text.split('\n').length - 1
}

t.test('the page of differences contains the lists of packages and modules', async (t) => {
  t.equal(page(COLLECTED), collectDifferences(PAGES), 'node build/pages/collect.ts writes it')
})

t.test('a module whose manual page has no list of differences is found, and so is an empty one', async (t) => {
  const manual = (text: string): Page[] => [{ path: 'modules/mod_x/README.md', text }]
  t.throws(() => collectDifferences(manual('# mod_x\n')), /modules\/mod_x\/README\.md has no section/)
  t.throws(() => collectDifferences(manual('# mod_x\n\n## Differences from httpd\n')), /neither a list nor a table/)
  t.match(
    collectDifferences(manual('# mod_x\n\n## Differences from httpd\n\n- It [waits](#x).\n- It ends.\n')),
    'in these 2 points',
  )
  t.match(
    collectDifferences(manual('# mod_x\n\n## Differences from httpd\n\n- It [waits](#x).\n')),
    '(../modules/mod_x/README.md#x)',
  )
})

t.test('every link within the project leads to a file and a heading that exist', async (t) => {
  const exists = (path: string): boolean => existsSync(join(ROOT, path))
  t.strictSame(brokenLinks(PAGES, exists), [])
  const planted = '# One\n\n[a](#one) [b](#two) [c](gone.md) [d](two.md#there) [e](two.md#gone) `[f](gone.md)`\n'
  const two = { path: 'docs/two.md', text: '# The second\n\n## There\n' }
  t.strictSame(
    brokenLinks([{ path: 'docs/one.md', text: planted }, two], (path) => /^docs\/(one|two)\.md$/.test(path)),
    [
      'docs/one.md:3: #two: no such heading',
      'docs/one.md:3: gone.md: no such file',
      'docs/one.md:3: two.md#gone: no such heading',
    ],
  )
})

t.test('every file and folder of the project that a page names exists', async (t) => {
  // The page of a package may name a file of its own folder, or one of the project's test/.
  const exists = (pattern: string): boolean =>
    [pattern, pattern.replace(/^(?:packages|modules)\/[^/]+\/(?=test\/)/, '')].some(
      (each) => globSync(each.replace(/\/$/, ''), { cwd: ROOT }).length > 0,
    )
  t.strictSame(missingFiles(PAGES, exists), [])
  const planted = 'See `src/one.ts`, `test/two.ts`, `packages/x/src/*.ts`, `modules/NAME` and `packages/gone`.\n'
  t.strictSame(
    missingFiles([{ path: 'packages/x/README.md', text: planted }], (pattern) => /^packages\/x\/(src|test)/.test(pattern)),
    ['packages/x/README.md:1: packages/gone'],
  )
})

t.test('the files and functions in the walk of a request exist, and each file is listed once', async (t) => {
  const walk = { path: 'docs/request-walk.md', text: page('docs/request-walk.md') }
  const existing = (path: string): string | undefined => (existsSync(join(ROOT, path)) ? textOf(path) : undefined)
  t.strictSame(faultsOfWalk(walk, existing), [])
  t.equal(filesOfWalk(walk), walk.text.match(/^\| `/gm)?.length, 'every row of a table is checked')
  t.ok(filesOfWalk(walk) > 40)
  const planted = '| `packages/a.ts` | `one`, `two` |\n| `packages/b.ts` | `gone` |\n| `packages/a.ts` | `one` |\n'
  const sources: Record<string, string> = {
    'packages/a.ts': 'export function one() {}\n  readonly two = (x) => x\n  one.gone()\n',
  }
  t.strictSame(
    faultsOfWalk({ path: 'docs/w.md', text: planted }, (path) => sources[path]),
    ['docs/w.md:2: packages/b.ts: no such file', 'docs/w.md:3: packages/a.ts: listed twice'],
  )
  t.strictSame(
    faultsOfWalk({ path: 'docs/w.md', text: '| `packages/a.ts` | `gone` |\n' }, (path) => sources[path]),
    ['docs/w.md:1: packages/a.ts: no gone'],
  )
})

t.test('no page describes an existing module as missing', async (t) => {
  t.strictSame(falseAbsences(PAGES, MODULES), [])
  const found = (text: string): string[] => falseAbsences([{ path: 'x.md', text }], new Set(['mod_dir']))
  t.strictSame(found('One.\n\nmod_ssl and\nmod_dir are not there yet. More.\n'), [
    'x.md:3: mod_dir is in modules/: mod_ssl and mod_dir are not there yet',
  ])
  t.strictSame(found('- This server does not provide mod_dir.\n').length, 1)
  t.strictSame(found('## What does not work yet\n\n- mod_ssl\n- mod_dir\n').length, 1)
  t.strictSame(found('mod_ssl is not there yet. mod_dir is.\n'), [])
})

t.test('every npm script and option in a command exists', async (t) => {
  t.strictSame(wrongCommands(PAGES, KNOWN), [])
  const found = (text: string): string[] => wrongCommands([{ path: 'x.md', text }], KNOWN)
  t.strictSame(found('Run `npm run bnech -- --only small`, `npm run bench -- --onyl small` and `httpd -t --htacess`.\n'), [
    'x.md:1: no npm script bnech',
    'x.md:1: npm run bench has no option --onyl',
    'x.md:1: httpd has no option --htacess',
  ])
  t.strictSame(found('```sh\nnpm test\nnpm run build -w mod_gone\ndist/bin/gatewright explain --fron 127.0.0.1 /\n```\n'), [
    'x.md:3: no workspace mod_gone',
    'x.md:4: gatewright has no option --fron',
  ])
})

t.test('numbers and limits that pages state hold', async (t) => {
  t.strictSame(falseClaims(PAGES, CLAIMS), [])
  const [claim] = CLAIMS
  t.match(falseClaims([], [claim]), [/no statement matches/])
  t.match(falseClaims([{ path: 'CHANGELOG.md', text: 'Module API 2.4.99.' }], [claim]), [/says 99, but it is/])
})

t.test('no source file is longer than the style page allows', async (t) => {
  const files = sources('{packages,modules}/*/src/**/*.ts').map((path): SourceFile => ({ path, lines: lines(textOf(path)) }))
  t.ok(files.length > 1000, `${files.length} files`)
  t.strictSame(tooLongFiles(page('CONTRIBUTING.md'), files), [])
  const style = 'files have at most 100 lines; longer: `a.ts` (150 lines), `c.ts` (150 lines)'
  t.strictSame(
    tooLongFiles(style, [
      { path: 'a.ts', lines: 151 },
      { path: 'b.ts', lines: 101 },
      { path: 'c.ts', lines: 90 },
    ]),
    [
      'a.ts has 151 lines; the style page allows 150',
      'b.ts has 101 lines; the style page allows 100',
      'c.ts keeps the limit now: remove it from the exceptions of the style page',
    ],
  )
})
