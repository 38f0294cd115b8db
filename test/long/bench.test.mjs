import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import t from 'tap'
import { SCENARIOS } from '../bench/scenarios.mjs'
import { apache2 } from '../bench/servers/apache2.mjs'
import { gatewright } from '../bench/servers/gatewright.mjs'
import { nginx } from '../bench/servers/nginx.mjs'
import { isInstalled, PROGRAM_PATH } from '../bench/servers/programs.mjs'
import { preparePlace, scratchFolder, writeDocuments } from '../bench/site.mjs'
import { until } from '../fixtures/until.ts'

const BENCH = join(import.meta.dirname, '../bench/bench.mjs')
const skip = ['wrk', 'taskset'].every(isInstalled) && availableParallelism() > 1 ? false : 'needs wrk, taskset and two processors'

for (const server of [gatewright, apache2, nginx]) {
  const skip = server.isInstalled() ? false : `needs ${server.name}`
  t.test(`${server.name} finds nothing wrong with the configuration of any scenario that it has`, { skip }, (t) => {
    const scratch = scratchFolder()
    t.teardown(() => rmSync(scratch, { recursive: true, force: true }))
    const docs = writeDocuments(scratch, {})
    const checked = []
    for (const scenario of SCENARIOS) {
      const root = join(scratch, scenario.name)
      const place = preparePlace(root, docs, 1, scenario)
      const configuration = server.configuration(scenario, place)
      if (configuration === undefined) continue
      writeFileSync(join(root, 'server.conf'), configuration.replaceAll('@BACKEND@', '8081'))
      const [program, ...args] = server.command(place)
      const { status, stderr } = spawnSync(program, [...args, '-t'], {
        env: { ...process.env, PATH: PROGRAM_PATH },
        encoding: 'utf8',
      })
      t.equal(status, 0, `${scenario.name}: ${stderr}`)
      checked.push(scenario.name)
    }
    t.ok(checked.includes('small') && checked.length >= 10, checked.join())
    t.end()
  })
}

t.test('a run prints the figures of a scenario as JSON and leaves nothing behind', { skip }, async (t) => {
  const run = start(t, ['--only', 'small', '--rounds', '1', '--seconds', '1', '--servers', 'gatewright', '--json'])
  const { status, stdout } = await run.ended
  t.equal(status, 0)
  const report = JSON.parse(stdout)
  t.match(report, {
    machine: { processor: String, cores: Number, node: process.version },
    versions: { gatewright: /^Gatewright\// },
    rounds: 1,
    scenarios: [{ name: 'small', connections: 32, seconds: 1, ratios: {} }],
  })
  const { gatewright } = report.scenarios[0].servers
  for (const figure of [
    'requestsPerSecond',
    'cpuMicroseconds',
    'corePercent',
    'p50Milliseconds',
    'p99Milliseconds',
    'memoryMebibytes',
  ])
    t.ok(gatewright[figure] > 0, `${figure}: ${gatewright[figure]}`)
  t.ok(gatewright.othersPercent >= 0)
  t.equal(gatewright.rounds.length, 1)
  nothingLeft(t, run)
})

t.test('an interrupted run ends its servers and removes its files', { skip }, async (t) => {
  const run = start(t, ['--only', 'small', '--seconds', '600', '--servers', 'gatewright'], { wrk: WRK_THAT_TELLS })
  await run.loaded
  // The surroundings of a process that is just becoming wrk cannot be seen for a moment.
  await until('the bench, wrk and two processes of the server run', () => processesOf(run.temporary).length >= 4)
  run.child.kill('SIGINT')
  const { status, stderr } = await run.ended
  t.equal(status, 130)
  t.match(stderr, /^bench: interrupted$/m)
  nothingLeft(t, run)
})

t.test('a server that does not start is reported with its output', { skip }, async (t) => {
  const run = start(t, ['--only', 'small', '--servers', 'nginx'], { nginx: '#!/bin/sh\necho no luck today >&2\nexit 3\n' })
  const { status, stderr } = await run.ended
  t.equal(status, 1)
  t.match(stderr, /^bench: nginx: did not start \(ended\): no luck today$/m)
  nothingLeft(t, run)
})

t.test('a server that answers wrongly is not measured', { skip }, async (t) => {
  const run = start(t, ['--only', 'small', '--servers', 'nginx'], { nginx: server('') })
  const { status, stderr } = await run.ended
  t.equal(status, 1)
  t.match(stderr, /^bench: nginx: \/small\.html from 127\.0\.0\.2 is answered with 200, not 403$/m)
  nothingLeft(t, run)
})

t.test('a server that fails under load is reported', { skip }, async (t) => {
  const failures = [
    ['if (requests > 100) response.statusCode = 500', /^bench: nginx: \d+ of \d+ answers had a status of 400 and above, not 0$/m],
    ['if (requests > 100) { console.error("enough"); process.exit(1) }', /^bench: nginx has ended: enough/m],
  ]
  for (const [code, message] of failures) {
    const run = start(t, ['--only', 'small', '--servers', 'nginx'], { nginx: server(`${ONLY_ADMITTED}\n${code}`) })
    const { status, stderr } = await run.ended
    t.equal(status, 1)
    t.match(stderr, message)
    nothingLeft(t, run)
  }
})

t.test('the list and the help need no server', (t) => {
  const list = spawnSync(process.execPath, [BENCH, '--list'], { encoding: 'utf8' })
  t.strictSame(
    list.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
    SCENARIOS.map(({ name }) => name),
  )
  t.match(spawnSync(process.execPath, [BENCH, '--help'], { encoding: 'utf8' }), { status: 0, stdout: /--connections N/ })
  t.match(spawnSync(process.execPath, [BENCH, '--only', 'x'], { encoding: 'utf8' }), {
    status: 1,
    stderr: /^bench: --only: 'x' is unknown\nhint: /,
  })
  t.end()
})

/**
 * A program that replaces nginx, reads the port from its configuration, and grants all access unless the code
 * does otherwise.
 */
function server(code) {
  return `#!${process.execPath}
const { readFileSync } = require('node:fs')
const configuration = readFileSync(process.argv[process.argv.indexOf('-c') + 1], 'utf8')
let requests = 0
const server = require('node:http').createServer((request, response) => {
  requests++
  ${code}
  response.end('x'.repeat(1024))
})
server.listen(Number(configuration.match(/listen .*:(\\d+);/)[1]), '127.0.0.1')
`
}

const ONLY_ADMITTED = "if (request.socket.remoteAddress !== '127.0.0.1') response.statusCode = 403"

/** Makes the file `loaded`, and becomes the real wrk. */
const WRK_THAT_TELLS = `#!/bin/sh
: >"$TMPDIR/../loaded"
PATH="\${PATH#*:}" exec wrk "$@"
`

/** Runs the benchmark with a separate folder for temporary files and, if given, programs. */
function start(t, args, programs = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-bench-test-'))
  const temporary = join(folder, 'tmp')
  const bin = join(folder, 'bin')
  for (const each of [temporary, bin]) mkdirSync(each)
  // Servers started by root run as another user.
  for (const each of [folder, temporary]) chmodSync(each, 0o755)
  for (const [name, script] of Object.entries(programs)) writeFileSync(join(bin, name), script, { mode: 0o755 })
  const env = { ...process.env, TMPDIR: temporary, PATH: [bin, process.env.PATH].join(delimiter) }
  const loaded = created(folder, 'loaded')
  const child = spawn(process.execPath, [BENCH, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => {
    child.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (chunk) => (said[name] += chunk))
  const ended = new Promise((resolve) => child.on('close', (status) => resolve({ status, ...said })))
  return { child, temporary, ended, loaded }
}

async function created(folder, name) {
  for await (const { filename } of watch(folder, { persistent: false })) if (filename === name) return
}

function nothingLeft(t, { temporary }) {
  t.strictSame(readdirSync(temporary), [], 'no files')
  t.strictSame(processesOf(temporary), [], 'no processes')
}

/** The processes that were started with this folder for temporary files, by name. */
function processesOf(temporary) {
  const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return running.filter((pid) => of(pid, 'environ').includes(`TMPDIR=${temporary}`)).map((pid) => of(pid, 'cmdline'))
}

function of(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
