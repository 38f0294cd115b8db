import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ConfigError, FileSource } from '@gatewright/core'
import { type ConfigReport, isShown, loadStart, reportLine } from '@gatewright/mpm/reader'
import t from 'tap'
import { COMPILED_IN } from '../../src/compiled-in.ts'
import { CASES } from './cases.ts'
import { DIFFERENCES } from './differences.ts'
import { configurationOf, MODULES, makeSite, type Verdict, verdictOf } from './site.ts'

const RECORDED: Readonly<Record<string, Verdict>> = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'))

const root = mkdtempSync(join(tmpdir(), 'language-'))
t.teardown(() => rmSync(root, { recursive: true }))
makeSite(root)
const configFile = join(root, 'conf/httpd.conf')
/**
 * As if each LoadModule line had been read: reading the modules' files thousands of times would take most of
 * the time.
 */
const loadLines = ['mpm_event', ...MODULES].map((name) => `# LoadModule ${name}`)
const loaded = await Promise.all(MODULES.map(async (name) => (await import(`mod_${name}`)).default))

const start = {
  program: 'httpd',
  serverRoot: root,
  configFile,
  modulesFolder: join(root, 'modules'),
  defines: [],
  before: [],
  after: [],
  skipDocumentRootCheck: false,
}

/** The output of `httpd -t` for a case. */
async function check(lines: readonly string[]): Promise<Verdict> {
  writeFileSync(configFile, configurationOf(lines, root, loadLines), 'latin1')
  const said: string[] = []
  const report = (line: ConfigReport): void => void (isShown(line, 'warn') && said.push(reportLine(line).trimEnd()))
  try {
    await loadStart(start, { source: new FileSource(), compiledIn: [...COMPILED_IN, ...loaded], report, purpose: 'check' })
    return verdictOf(0, [...said, 'Syntax OK'].join('\n'), root)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return verdictOf(1, [...said, ...error.lines(start.program)].join('\n'), root)
  }
}

t.test('every case has been recorded, and nothing else', (t) => {
  t.strictSame(new Set(Object.keys(RECORDED)), new Set(CASES.keys()))
  t.end()
})

/**
 * Only a part of the cases is compared, which takes seconds; `LANGUAGE_CASES=all` compares all, for changes
 * to the reader of configurations.
 */
const EVERY = process.env.LANGUAGE_CASES === 'all' ? 1 : 5

t.test('configurations are accepted and refused with the words of httpd', async (t) => {
  let same = 0
  const compared = [...CASES].filter(([key], index) => index % EVERY === 0 && !DIFFERENCES.has(key))
  for (const [key, lines] of compared) {
    const verdict = await check(lines)
    // Thousands of successful assertions would take longer than the comparison.
    if (isDeepStrictEqual(verdict, RECORDED[key])) same++
    else t.strictSame(verdict, RECORDED[key], JSON.stringify(key))
  }
  t.equal(same, compared.length)
})

t.test('differences are as declared', async (t) => {
  for (const [key, { why, lines }] of DIFFERENCES) {
    const configuration = CASES.get(key)
    if (configuration === undefined) throw new Error(`there is no case ${JSON.stringify(key)}`)
    const verdict = await check(configuration)
    t.strictSame(verdict.lines, lines, `${JSON.stringify(key)}: ${why}`)
    t.notSame(verdict, RECORDED[key], 'a difference still')
  }
})
