#!/usr/bin/env node
// npm run bench [-- --seconds 2 --rounds 5 --connections 32 --json]: requests/s of dist/bin/httpd for a 1 KiB file, beside Apache httpd
// with the same configuration. The server runs on one core and the client, wrk, on the other; rounds alternate, so that what
// else the machine does meets both alike. Compare the ratio; the absolute figures belong to the machine.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const SERVER_CORE = '0'
const CLIENT_CORE = '1'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    json: { type: 'boolean', default: false },
  },
})

/** The two servers: program, folder of modules with the ending their files have, and modules that are not compiled in. */
const CONTESTANTS = [
  { name: 'gatewright', program: join(ROOT, 'dist/bin/httpd'), modules: join(ROOT, 'dist/modules'), ending: 'mjs', extra: [] },
  { name: 'apache2', program: 'apache2', modules: '/usr/lib/apache2/modules', ending: 'so', extra: ['mpm_event'] },
]

const scratch = mkdtempSync(join(tmpdir(), 'gatewright-bench-'))
// Started by root, the servers work as another user.
chmodSync(scratch, 0o755)
const running = []
try {
  for (const program of ['wrk', 'taskset']) if (!installed(program)) throw new Error(`${program} is needed and not installed`)
  for (const contestant of CONTESTANTS) {
    if (!existsSync(contestant.program) && !installed(contestant.program))
      console.error(`bench: without ${contestant.name}, which is not installed`)
    else running.push(await start(contestant))
  }
  for (const server of running) await load(server, 1)
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const server of running) server.rates.push(await load(server, Number(options.seconds)))
  }
  report(running.map(({ name, rates }) => ({ name, median: median(rates), rates })))
} catch (error) {
  console.error(`bench: ${error.message}`)
  process.exitCode = 1
} finally {
  await Promise.all(running.map(stop))
  rmSync(scratch, { recursive: true, force: true })
}

async function start(contestant) {
  const root = join(scratch, contestant.name)
  for (const folder of ['conf', 'logs', 'docs']) mkdirSync(join(root, folder), { recursive: true })
  const port = await freePort()
  writeFileSync(join(root, 'docs/small.html'), 'x'.repeat(1024))
  writeFileSync(join(root, 'conf/httpd.conf'), configuration(contestant, root, port))
  const args = ['-c', SERVER_CORE, contestant.program, '-D', 'FOREGROUND', '-d', root, '-f', join(root, 'conf/httpd.conf')]
  const child = spawn('taskset', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (chunk) => (complaint += chunk))
  const server = { name: contestant.name, root, child, url: `http://127.0.0.1:${port}/small.html`, rates: [] }
  for (let tries = 0; tries < 100; tries++) {
    if (await accepts(port)) return server
    if (child.exitCode !== null) break
    await pause(100)
  }
  await stop(server)
  throw new Error(`${contestant.name} did not start: ${complaint.trim()}`)
}

function configuration({ modules, ending, extra }, root, port) {
  const names = [...extra, 'authn_core', 'authz_core', 'authz_host', 'mime', 'dir']
  return `${names.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.${ending}`).join('\n')}
ServerRoot "${root}"
ServerName localhost
Listen 127.0.0.1:${port}
${process.getuid() === 0 ? 'User daemon\nGroup daemon' : ''}
PidFile logs/httpd.pid
ErrorLog logs/error_log
CustomLog logs/access_log "%h %l %u %t \\"%r\\" %>s %b"
TypesConfig ${join(ROOT, 'conf/mime.types')}
KeepAlive On
MaxKeepAliveRequests 0
DocumentRoot "${root}/docs"
<Directory "/">
  AllowOverride None
  Require all denied
</Directory>
<Directory "${root}/docs">
  Require ip 127.0.0.0/8
</Directory>
`
}

/** Requests per second that wrk reached. */
async function load({ name, url }, seconds) {
  const args = ['-c', CLIENT_CORE, 'wrk', '-t', '1', '-c', options.connections, '-d', `${seconds}s`, url]
  const { stdout } = await output('taskset', args)
  const bad = stdout.match(/Non-2xx or 3xx responses: \d+/)
  if (bad) throw new Error(`${name}: ${bad[0]}`)
  // A connection that a server gave up is told, but does not spoil the figure.
  const broken = stdout.match(/Socket errors: .*/)
  if (broken) console.error(`bench: ${name}: ${broken[0]}`)
  const rate = stdout.match(/Requests\/sec:\s+([\d.]+)/)
  if (!rate) throw new Error(`wrk said: ${stdout.trim()}`)
  return Number(rate[1])
}

function report(results) {
  const [ours, theirs] = results
  const ratio = theirs === undefined ? undefined : ours.median / theirs.median
  if (options.json) {
    console.log(JSON.stringify({ file: '1 KiB, keep-alive', connections: Number(options.connections), results, ratio }, null, 2))
    return
  }
  console.log(
    `1 KiB file, keep-alive, ${options.connections} connections, median of ${options.rounds} rounds of ${options.seconds} s, one core`,
  )
  for (const { name, median, rates } of results) {
    console.log(
      `  ${name.padEnd(12)} ${Math.round(median).toLocaleString('en')} requests/s  (${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))})`,
    )
  }
  if (ratio !== undefined) console.log(`  ratio        ${ratio.toFixed(2)} x apache2`)
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

/** Asks the server itself to end, through its pid file: the child may be a wrapper. */
async function stop({ root, child }) {
  const pidFile = join(root, 'logs/httpd.pid')
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : child.pid
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(pid, 'SIGTERM')
  await Promise.race([ended, pause(5000).then(() => child.kill('SIGKILL'))])
}

function output(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let stdout = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.on('error', reject)
    child.on('close', () => resolve({ stdout }))
  })
}

function installed(program) {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
