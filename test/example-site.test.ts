import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { request as requestByTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { stageConfiguration } from '../build/stage-configuration.ts'
import { freePort } from './fixtures/free-port.ts'
import { gatewright } from './fixtures/gatewright.ts'

const DIST = join(import.meta.dirname, '../dist')
const APACHE_MODULES = '/usr/lib/apache2/modules'
const GUEST = `Basic ${Buffer.from('guest:gatewright').toString('base64')}`
const STRANGER = `Basic ${Buffer.from('guest:guess').toString('base64')}`

interface Visit {
  readonly path: string
  readonly from?: string
  readonly authorization?: string
  readonly status: number
}

/** The pages to which the front page of the example site links, and their statuses. */
const VISITS: readonly Visit[] = [
  { path: '/', status: 200 },
  { path: '/style.css', status: 200 },
  { path: '/missing', status: 404 },
  { path: '/private/', status: 401 },
  { path: '/private/', authorization: GUEST, status: 200 },
  { path: '/private/', authorization: STRANGER, status: 401 },
  { path: '/server-status?auto', status: 200 },
  { path: '/server-status', from: '127.0.0.2', status: 403 },
  { path: '/old-style/', status: 200 },
  { path: '/old-style/', from: '127.0.0.2', status: 403 },
  { path: '/notes/', status: 200 },
  { path: '/notes/', from: '127.0.0.3', status: 403 },
  { path: '/notes/.htaccess', status: 403 },
  { path: '/files/', status: 200 },
  { path: '/favicon.ico', status: 200 },
  { path: '/health', status: 204 },
  { path: '/health', from: '127.0.0.4', status: 204 },
  { path: '/health/more', status: 404 },
]

t.test('the example site answers as its front page describes', async (t) => {
  await visitAll(t, { program: join(DIST, 'bin/httpd'), modules: join(DIST, 'modules'), ending: 'mjs', extra: [] })
})

const apache = existsSync(APACHE_MODULES) && spawnSync('sh', ['-c', 'command -v apache2']).status === 0
t.test('Apache httpd answers the same with the same configuration', { skip: apache ? false : 'needs apache2' }, async (t) => {
  const extra = ['-C', 'LoadModule mpm_event_module modules/mod_mpm_event.so']
  await visitAll(t, { program: 'apache2', modules: APACHE_MODULES, ending: 'so', extra })
})

t.test('without a certificate the site is served without https', async (t) => {
  const root = serverRoot(t, { modules: join(DIST, 'modules'), ending: 'mjs' })
  const { status, stdout } = spawnSync(
    join(DIST, 'bin/httpd'),
    ['-t', '-D', 'DUMP_VHOSTS', '-d', root, '-f', 'conf/httpd.conf'],
    {
      encoding: 'utf8',
    },
  )
  t.equal(status, 0)
  t.notMatch(stdout, /8443/)
})

interface Contestant {
  readonly program: string
  readonly modules: string
  /** The extension of its module files. */
  readonly ending: string
  readonly extra: readonly string[]
}

async function visitAll(t: Test, contestant: Contestant): Promise<void> {
  const root = serverRoot(t, contestant)
  t.match(await gatewright(['local-cert', '-o', join(root, 'conf/local-cert')]), { status: 0, stderr: '' })
  const [port, tlsPort] = [await freePort(), await freePort()]
  const definition = ['-C', `Define GATEWRIGHT_PORT ${port}`, '-C', `Define GATEWRIGHT_TLS_PORT ${tlsPort}`]
  const args = ['-D', 'FOREGROUND', '-d', root, '-f', 'conf/httpd.conf', ...contestant.extra, ...definition]
  const server = spawn(contestant.program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  try {
    await ready(server, port)
    for (const visit of VISITS) {
      t.equal(await statusOf(port, visit), visit.status, `${visit.path} from ${visit.from ?? '127.0.0.1'}`)
    }
    for (const visit of VISITS) await visitByTls(t, root, tlsPort, visit)
  } finally {
    server.kill('SIGTERM')
    await ended
  }
  t.match(readFileSync(join(root, 'logs/access_log'), 'utf8'), /^127\.0\.0\.1 - guest \[.*\] "GET \/private\/ HTTP\/1\.1" 200 /m)
  t.match(
    readFileSync(join(root, 'logs/error_log'), 'utf8'),
    /AH01797: client denied by server configuration: .*\/htdocs\/old-style\//,
  )
}

/** What clients of the certificate's authority see. */
async function visitByTls(t: Test, root: string, port: number, { path, from, authorization, status }: Visit): Promise<void> {
  const ca = readFileSync(join(root, 'conf/local-cert/authority.crt'))
  const headers = { host: `localhost:${port}`, ...(authorization !== undefined && { authorization }) }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: '127.0.0.1', servername: 'localhost', port, path, headers, ca, localAddress: from, agent: false }
    requestByTls(options, resolve).on('error', reject).end()
  })
  answer.resume()
  t.equal(answer.statusCode, status, `https: ${path} from ${from ?? '127.0.0.1'}`)
  t.equal(answer.headers['x-content-type-options'], 'nosniff')
  t.equal(answer.headers['strict-transport-security'], undefined, 'localhost is not bound to https')
}

/** Stages conf/ to a folder that the workers' user may enter if the server is started by root. */
function serverRoot(t: Test, { modules, ending }: Pick<Contestant, 'modules' | 'ending'>): string {
  const root = mkdtempSync(join(tmpdir(), 'gatewright-site-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  chmodSync(root, 0o755)
  mkdirSync(join(root, 'logs'))
  symlinkSync(modules, join(root, 'modules'))
  stageConfiguration(root)
  const main = join(root, 'conf/httpd.conf')
  writeFileSync(main, readFileSync(main, 'utf8').replace(/\.mjs$/gm, `.${ending}`))
  return root
}

async function ready(server: ChildProcess, port: number): Promise<void> {
  let complaint = ''
  server.stderr?.on('data', (chunk) => {
    complaint += chunk
  })
  for (let tries = 0; tries < 100 && server.exitCode === null; tries++) {
    const status = await statusOf(port, { path: '/', status: 200 }).catch(() => 0)
    if (status !== 0) return
    await pause(100)
  }
  throw new Error(`the server does not answer: ${complaint}`)
}

function statusOf(port: number, { path, from, authorization }: Visit): Promise<number | undefined> {
  const headers = authorization === undefined ? {} : { authorization }
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, localAddress: from, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode))
    })
    asked.on('error', reject)
    asked.end()
  })
}
