import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { buildGateFiles } from './fixtures/gate-files.ts'

const HTTPD = join(import.meta.dirname, '../dist/bin/httpd')

/** Loaded into every process of the server: reports at its end whether any code of a fixture ran in it. */
const WITNESS = `process.on('exit', () => {
  if (process.env.GATEWRIGHT_OLD_MODULE_RAN || process.env.GATEWRIGHT_PROBE_RAN) console.error('the module ran')
})`

const folder = t.testdir()
const files = await buildGateFiles(join(folder, 'built'))

t.test('a module of the 2.2 line is refused before any of it runs, with both signatures and what to do', (t) => {
  const { status, message, hint, ran } = load('old_module', files.old)
  t.equal(status, 1)
  t.equal(
    message,
    `API module structure 'old_module' in file ${files.old} is garbled - expected signature 41503234 but saw 41503232 - perhaps this is not an Apache module DSO, or was compiled for a different Apache version?`,
  )
  t.match(hint, /2\.2 module API/)
  t.match(hint, /UPGRADING/)
  t.notOk(ran)
  t.end()
})

t.test('a module of another line, or of a newer version of this one, is refused before any of it runs', (t) => {
  const other = load('probe_module', files.otherLine)
  t.match(other, { status: 1, ran: false })
  t.match(other.message, 'Module "mod_probe.c" is not compatible with this version of Apache (found 20260101, need 20120211).')
  const newer = load('probe_module', files.newer)
  t.match(newer, { status: 1, ran: false })
  t.match(
    newer.message,
    /^Module "mod_probe\.c" is not compatible with this version of Apache \(found 20120211:99, need 20120211:\d+\)\./,
  )
  t.match(newer.hint, '2.4.99')
  t.end()
})

t.test('a file without a stamp, or changed after it was built, is refused before any of it runs', (t) => {
  const unstamped = load('probe_module', files.unstamped)
  t.match(unstamped, { status: 1, ran: false })
  t.match(unstamped.message, `Cannot load ${files.unstamped} into server: ${files.unstamped}: `)
  const damaged = load('probe_module', files.damaged)
  t.match(damaged, { status: 1, ran: false })
  t.match(damaged.message, `Cannot load ${files.damaged} into server: ${files.damaged}: `)
  t.end()
})

t.test('the same module, unchanged, loads and runs', (t) => {
  t.match(load('probe_module', files.good), { status: 0, ran: true })
  t.end()
})

interface Answer {
  readonly status: number | null
  /** The error after its file and line. */
  readonly message: string
  readonly hint: string
  readonly ran: boolean
}

/** The output of `httpd -t` for a configuration that loads this module in its second line. */
function load(module: string, file: string): Answer {
  const root = join(folder, 'root')
  for (const name of ['conf', 'logs', 'htdocs']) mkdirSync(join(root, name), { recursive: true })
  const conf = join(root, 'conf/httpd.conf')
  writeFileSync(conf, `ServerName localhost\nLoadModule ${module} ${file}\nListen 127.0.0.1:8099\n`)
  const witness = join(folder, 'witness.mjs')
  writeFileSync(witness, WITNESS)
  const env = { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(witness).href}` }
  const { status, stderr } = spawnSync(HTTPD, ['-t', '-d', root, '-f', conf], { env, encoding: 'utf8' })
  const lines = stderr.split('\n')
  const start = `httpd: Syntax error on line 2 of ${conf}: `
  return {
    status,
    message: lines.find((line) => line.startsWith(start))?.slice(start.length) ?? '',
    hint: lines.find((line) => line.startsWith('hint: ')) ?? '',
    ran: lines.includes('the module ran'),
  }
}
