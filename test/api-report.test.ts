import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { compareEntries, compareSurfaces, type SurfaceChange } from '../build/api-report/compare.ts'
import { entriesOf, LINES, type ReportRun, reportOn, type Verb } from '../build/api-report/lines.ts'
import { formatReport, parseReport } from '../build/api-report/report-file.ts'
import { type DeclarationFile, surfaceOf } from '../build/api-report/surface.ts'
import { judge } from '../build/api-report/verdict.ts'

const ROOT = join(import.meta.dirname, '..')
const ENTRIES = Object.values(entriesOf(join(ROOT, 'packages/api'), '@gatewright/api'))
const read = (file: string): string => readFileSync(file, 'utf8')
const [LINE] = LINES
const files = new Map<string, DeclarationFile>()
const ACCEPTED = surfaceOf(ENTRIES, read, files)

/** The checker's report for an edit of an API source file. */
function changesAfter(file: string, from: string, to: string): SurfaceChange[] {
  const path = join(ROOT, 'packages/api/src', file)
  if (!read(path).includes(from)) throw new Error(`${file} has no ${from}`)
  const edited = surfaceOf(ENTRIES, (one) => (one === path ? read(one).replace(from, to) : read(one)), files)
  return compareSurfaces(ACCEPTED, edited)
}

/** Edits of the API, and the expected report of each. */
const EDITS: readonly (readonly [string, string, string, string, readonly SurfaceChange[]])[] = [
  [
    'an export that is gone',
    'outcome.ts',
    'export const HTTP_FORBIDDEN',
    'const HTTP_FORBIDDEN',
    [{ kind: 'breaking', text: 'removed: HTTP_FORBIDDEN' }],
  ],
  [
    'a member that is gone',
    'request.ts',
    'hasOption(option: OptionName): boolean',
    '',
    [{ kind: 'breaking', text: 'removed: Request: hasOption(option: OptionName): boolean' }],
  ],
  [
    'a parameter of another type',
    'request.ts',
    'hasOption(option: OptionName): boolean',
    'hasOption(option: number): boolean',
    [
      {
        kind: 'breaking',
        text: 'changed: Request: hasOption(option: OptionName): boolean\n      to: Request: hasOption(option: number): boolean',
      },
    ],
  ],
  [
    'a parameter that must be given',
    'request.ts',
    'lookupFile(path: string)',
    'lookupFile(path: string, method: string)',
    [
      {
        kind: 'breaking',
        text: 'changed: Request: lookupFile(path: string): MaybePromise<Request>\n      to: Request: lookupFile(path: string, method: string): MaybePromise<Request>',
      },
    ],
  ],
  [
    'a parameter that need not be given',
    'request.ts',
    'lookupFile(path: string)',
    'lookupFile(path: string, method?: string)',
    [
      {
        kind: 'added',
        text: 'changed: Request: lookupFile(path: string): MaybePromise<Request>\n      to: Request: lookupFile(path: string, method?: string): MaybePromise<Request>',
      },
    ],
  ],
  [
    'an outcome that is another one',
    'text/base64.ts',
    'text: string): Buffer',
    'text: string): Uint8Array',
    [
      {
        kind: 'breaking',
        text: 'changed: decodeBase64Lenient: function decodeBase64Lenient(text: string): Buffer\n      to: decodeBase64Lenient: function decodeBase64Lenient(text: string): Uint8Array',
      },
    ],
  ],
  [
    'a member that the host has and did not have',
    'server.ts',
    'readonly serverPort: number',
    'readonly serverPort: number\n  readonly weight: number',
    [{ kind: 'added', text: 'added: Server: readonly weight: number' }],
  ],
  [
    'a member that modules may have',
    'providers.ts',
    'anyOf?(',
    'explain?(): string\n  anyOf?(',
    [{ kind: 'added', text: 'added: AuthzProvider: explain?(): string' }],
  ],
  [
    'a member that modules must have',
    'providers.ts',
    'anyOf?(',
    'explain(): string\n  anyOf?(',
    [{ kind: 'breaking', text: 'added, and modules must have it: AuthzProvider: explain(): string' }],
  ],
  [
    'a member that modules need not have any more',
    'providers.ts',
    'parse(argument',
    'parse?(argument',
    [
      {
        kind: 'added',
        text: 'changed: AuthzProvider: parse(argument: string, command: Command): AuthzCheck | string | Problem\n      to: AuthzProvider: parse?(argument: string, command: Command): AuthzCheck | string | Problem',
      },
    ],
  ],
  [
    'an export that was not there',
    'outcome.ts',
    'export const HTTP_OK',
    'export const HTTP_ACCEPTED: Outcome = outcome(202)\nexport const HTTP_OK',
    [{ kind: 'added', text: 'added: HTTP_ACCEPTED' }],
  ],
  [
    'a word that a union did not have',
    'providers.ts',
    "'granted' | 'denied' | 'not-found'",
    "'granted' | 'denied' | 'locked' | 'not-found'",
    [{ kind: 'added', text: "added: AuthnStatus: 'locked'" }],
  ],
  [
    'a word that a union does not have any more',
    'providers.ts',
    "'granted' | 'denied' | 'not-found'",
    "'granted' | 'denied'",
    [{ kind: 'breaking', text: "removed: AuthnStatus: 'not-found'" }],
  ],
  [
    'a constant of another value',
    'outcome.ts',
    'export const DECLINED: Outcome',
    'export const DECLINED: number',
    [
      {
        kind: 'breaking',
        text: 'changed: declare const DECLINED: Outcome;\n      to: declare const DECLINED: number;',
      },
    ],
  ],
  [
    'an interface that extends another',
    'request.ts',
    'export interface FileBody {',
    'export interface FileBody extends FileInfo {',
    [
      {
        kind: 'breaking',
        text: 'changed: interface FileBody {\n      to: interface FileBody extends FileInfo {',
      },
    ],
  ],
  [
    'a function of modules that may not return a promise any more',
    'hooks.ts',
    'VoidStartHook = (start: StartContext) => void',
    'VoidStartHook = (start: StartContext) => NoPromise',
    [
      {
        kind: 'added',
        text: 'changed: VoidStartHook: (start: StartContext) => void\n      to: VoidStartHook: (start: StartContext) => NoPromise',
      },
    ],
  ],
  ['a docstring', 'outcome.ts', '/** The function does not apply', '/** The function surely does not apply', []],
  ['what is private', 'table.ts', 'private find(', 'private findFrom(', []],
  ['the version', 'version.ts', "API_VERSION = '2.4.", "API_VERSION = '2.4.9", []],
]

for (const [what, file, from, to, changes] of EDITS) {
  t.test(`${what} is ${changes[0] === undefined ? 'no change of the surface' : changes[0].kind}`, (t) => {
    t.strictSame(changesAfter(file, from, to), changes)
    t.end()
  })
}

t.test('a break needs another line, an addition another number, and numbers only grow', (t) => {
  const broken: SurfaceChange[] = [{ kind: 'breaking', text: 'removed: OK' }]
  const added: SurfaceChange[] = [{ kind: 'added', text: 'added: FINE' }]
  const open = { frozen: false, state: 'released' } as const
  const fits = (changes: readonly SurfaceChange[], now: string, rules: Parameters<typeof judge>[3] = open): boolean =>
    judge(changes, '2.4.9', now, rules).fits
  t.notOk(fits(broken, '2.4.9'))
  t.notOk(fits(broken, '2.4.10'))
  t.notOk(fits([...added, ...broken], '2.4.10', { ...open, state: 'unreleased' }))
  t.ok(fits(broken, '2.5.0'))
  t.ok(fits(broken, '3.0.0'))
  t.notOk(fits(added, '2.4.9'))
  t.ok(fits(added, '2.4.9', { ...open, state: 'unreleased' }))
  t.ok(fits(added, '2.4.10'))
  t.notOk(fits([], '2.4.8'))
  t.notOk(fits([], '2.2.43'))
  t.ok(fits([], '2.4.9'))
  const frozen = { frozen: true, state: 'unreleased' } as const
  t.notOk(fits(added, '2.4.10', frozen))
  t.notOk(fits([], '2.4.10', frozen))
  t.ok(fits([], '2.4.9', frozen))
  t.end()
})

t.test('a name that an entry no longer exports is a break, though another entry has it', (t) => {
  const accepted = { '@gatewright/api': ['OK', 'html'], '@gatewright/api/text': ['html'] }
  const current = { '@gatewright/api': ['OK'], '@gatewright/api/text': ['html', 'raw'] }
  t.strictSame(compareEntries(accepted, current), [
    { kind: 'breaking', text: 'removed from @gatewright/api: html' },
    { kind: 'added', text: 'added to @gatewright/api/text: raw' },
  ])
  t.strictSame(compareEntries(accepted, accepted), [])
  t.end()
})

t.test(
  'a function of modules that may return a Problem beside a text is an addition; one that may not any more is a break',
  (t) => {
    const texts = 'export type StartHook = (start: StartContext) => MaybePromise<string | undefined | void>;'
    const problems = texts.replace('string', 'string | Problem')
    t.match(compareSurfaces(texts, problems), [{ kind: 'added' }])
    t.match(compareSurfaces(problems, texts), [{ kind: 'breaking' }])
    t.end()
  },
)

t.test('a report that was written is read back unchanged', (t) => {
  const report = {
    version: '2.4.3',
    surface: ACCEPTED,
    entries: { '@gatewright/api': ['OK'], '@gatewright/api/text': ['a', 'b'] },
  }
  t.strictSame(parseReport(formatReport('@gatewright/api', report, 'open')), report)
  t.equal(parseReport('# API report\n'), undefined)
  t.end()
})

/** The checker with a copy of the API that can be edited. */
function copyOfTheApi(folder: string): {
  edit: (file: string, from: string, to: string) => void
  run: (verb: Verb) => ReportRun
} {
  for (const part of ['src', 'package.json', 'api-report.md'])
    cpSync(join(ROOT, 'packages/api', part), join(folder, 'packages/api', part), { recursive: true })
  return {
    edit(file, from, to) {
      const path = join(folder, 'packages/api/src', file)
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
    },
    run: (verb) => reportOn(folder, LINE, verb, 'released'),
  }
}

t.test('a removal is neither passed nor accepted', (t) => {
  const { edit, run } = copyOfTheApi(t.testdir())
  t.match(run('check'), { good: true, lines: [/^@gatewright\/api [\d.]+ matches its report$/] })
  edit('request.ts', '  hasOption(option: OptionName): boolean\n', '')
  const refusal = [
    'BREAKING removed: Request: hasOption(option: OptionName): boolean',
    /^@gatewright\/api [\d.]+ is refused$/,
    /^hint: modules built for /,
  ]
  t.match(run('check'), { good: false, lines: refusal })
  t.match(run('accept'), { good: false, lines: refusal })
  t.end()
})

t.test('an addition is accepted with the next number, and checks fail until then', (t) => {
  const { edit, run } = copyOfTheApi(t.testdir())
  edit('server.ts', 'readonly serverPort: number', 'readonly serverPort: number\n  readonly weight: number')
  const addition = 'added: Server: readonly weight: number'
  t.match(run('check'), { good: false, lines: [addition, /is refused$/, /^hint: an addition needs a number of its own/] })
  t.match(run('accept'), { good: false, lines: [addition] })
  edit('version.ts', "API_VERSION = '2.4.", "API_VERSION = '2.4.9")
  t.match(run('check'), { good: false, lines: [addition, /api-report\.md is out of date/] })
  t.match(run('accept'), { good: true })
  t.match(run('check'), { good: true })
  t.end()
})

t.test('a report that is not there is a failure until it is written', (t) => {
  const { run } = copyOfTheApi(t.testdir())
  rmSync(join(t.testdirName, 'packages/api/api-report.md'))
  t.match(run('check'), { good: false, lines: [/is missing or no report$/, /^hint: /] })
  t.match(run('accept'), { good: true })
  t.match(run('check'), { good: true })
  t.end()
})

t.test('the reports in the repository are true', (t) => {
  for (const line of LINES) t.match(reportOn(ROOT, line, 'check', 'released'), { good: true }, line.name)
  t.end()
})
