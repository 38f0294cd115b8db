/**
 * Records the output of Apache httpd for every case: `node --conditions=gatewright-source
 * packages/cli/test/language/record.ts [APACHE2]`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CASES } from './cases.ts'
import { configurationOf, MODULES, makeSite, type Verdict, verdictOf } from './site.ts'

const program = process.argv[2] ?? 'apache2'
const root = mkdtempSync(join(tmpdir(), 'language-'))
makeSite(root)
const loadLines = ['mpm_event', ...MODULES].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
const file = join(root, 'conf/httpd.conf')
const recorded: Record<string, Verdict> = {}
for (const [key, lines] of CASES) {
  writeFileSync(file, configurationOf(lines, root, loadLines), 'latin1')
  const run = spawnSync(program, ['-t', '-d', root, '-f', file], { encoding: 'latin1', env: { PATH: process.env.PATH } })
  if (run.status === null) throw new Error(`${program} ended by ${run.signal ?? run.error?.message} on ${JSON.stringify(key)}`)
  recorded[key] = verdictOf(run.status, run.stdout + run.stderr, root)
}
rmSync(root, { recursive: true })
const rows = Object.entries(recorded).map(([key, verdict]) => `${JSON.stringify(key)}: ${JSON.stringify(verdict)}`)
writeFileSync(join(import.meta.dirname, 'recorded.json'), `{\n${rows.join(',\n')}\n}\n`)
console.log(`${rows.length} recorded`)
