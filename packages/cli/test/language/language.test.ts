import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { inspect } from '../../src/inspect.ts'
import { parseOptions } from '../../src/options.ts'
import { CASES } from './cases.ts'
import { DIFFERENCES } from './differences.ts'
import { configurationOf, MODULES, makeSite, type Verdict, verdictOf } from './site.ts'

const RECORDED: Readonly<Record<string, Verdict>> = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'))
const PROJECT = join(import.meta.dirname, '../../../..')

const root = mkdtempSync(join(tmpdir(), 'language-'))
t.teardown(() => rmSync(root, { recursive: true }))
makeSite(root)
const configFile = join(root, 'conf/httpd.conf')
const loadLines = MODULES.map((name) => `LoadModule ${name}_module ${join(PROJECT, `modules/mod_${name}/dist/mod_${name}.mjs`)}`)

/** What `httpd -t` says of a case. */
async function check(lines: readonly string[]): Promise<Verdict> {
  const request = parseOptions(['-t'])
  if (request.kind !== 'run') throw new Error('-t is a run')
  writeFileSync(configFile, configurationOf(lines, root, ['# mpm_event is always there', ...loadLines]), 'latin1')
  const said: string[] = []
  const say = (line: string): void => void said.push(line)
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
  const status = await inspect(request.options, start, { out: say, err: say })
  return verdictOf(status, said.join('\n'), root)
}

t.test('every case has been recorded, and nothing else', (t) => {
  t.strictSame(new Set(Object.keys(RECORDED)), new Set(CASES.keys()))
  t.end()
})

t.test('configurations are accepted and refused with the words of httpd', async (t) => {
  for (const [key, lines] of CASES) {
    const verdict = await check(lines)
    const difference = DIFFERENCES.get(key)
    if (difference === undefined) t.strictSame(verdict, RECORDED[key], JSON.stringify(key))
    else {
      t.strictSame(verdict, difference.verdict, `${JSON.stringify(key)}: ${difference.why}`)
      t.notSame(verdict, RECORDED[key], 'is still a difference')
    }
  }
})
