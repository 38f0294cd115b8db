import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasMemcached, hasRedis, memcachedStore, redisStore, type StoreServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { childrenOf, gone } from './fixtures/processes.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

t.setTimeout(900_000)

const run = promisify(execFile)
const CERTIFICATES = new URL('conformance/fixtures/tls/', import.meta.url).pathname
const WORKERS = 4
const VERSIONS = ['-tls1_2', '-tls1_3']

async function hasOpenssl(): Promise<boolean> {
  return await run('openssl', ['version']).then(
    () => true,
    () => false,
  )
}

/** One request over a connection of openssl s_client; true if its session was resumed. */
async function visit(port: number, ...options: readonly string[]): Promise<boolean> {
  const client = run('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, '-servername', 'localhost', '-ign_eof', ...options])
  client.child.stdin?.end('GET /f.txt HTTP/1.0\r\nHost: localhost\r\n\r\n')
  const { stdout } = await client
  if (!stdout.includes('\r\n\r\nhello\n')) throw new Error(`no answer in ${stdout}`)
  return /^Reused, TLSv/m.test(stdout)
}

/** A server with four workers. */
async function serve(t: Test, ...lines: readonly string[]): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  server.file('htdocs/f.txt', 'hello\n')
  for (const name of ['localhost.crt', 'localhost.key']) copyFileSync(join(CERTIFICATES, name), server.path(name))
  server.configure(
    ...['authz_core', 'socache_shmcb', 'socache_dbm', 'socache_memcache', 'socache_redis', 'ssl'].map(
      (name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`,
    ),
    `WorkerProcesses ${WORKERS}`,
    'CustomLog logs/access_log "%P %{SSL_SESSION_RESUMED}x"',
    'SSLEngine on',
    `SSLCertificateFile ${server.path('localhost.crt')}`,
    `SSLCertificateKeyFile ${server.path('localhost.key')}`,
    '<Location />\nRequire all granted\n</Location>',
    ...lines,
  )
  await server.start()
  return server
}

async function reload(server: StagedServer): Promise<void> {
  const former = childrenOf(server.pid)
  server.signal('SIGUSR1')
  await gone(former)
}

/** Visits again and again, also after reloads, and resumes the session each time. */
async function resumeOften(t: Test, server: StagedServer, version: string): Promise<void> {
  const file = server.path('session')
  t.equal(await visit(server.port, version, '-sess_out', file), false, version)
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 2 * WORKERS; count++) {
      const former = readFileSync(file, 'latin1')
      t.equal(await visit(server.port, version, '-sess_in', file, '-sess_out', file), true, `${version}, round ${round}`)
      // openssl writes no file for a new ticket of TLS 1.2.
      if (version === '-tls1_3') t.notOk(readFileSync(file, 'latin1') === former, 'a new ticket')
    }
    await reload(server)
  }
}

/** Checks that it was not always the same worker. */
function checkWorkers(t: Test, server: StagedServer): void {
  const lines = server.read('logs/access_log').trim().split('\n')
  t.equal(lines.filter((line) => line.endsWith(' Initial')).length, VERSIONS.length)
  t.ok(new Set(lines.map((line) => line.split(' ', 1)[0])).size > VERSIONS.length * 3, 'several workers of a generation')
}

const skip = !(await hasOpenssl())

t.test('tickets are accepted by all workers and after reloads, each time with a new ticket', { skip }, async (t) => {
  const server = await serve(t)
  t.equal(childrenOf(server.pid).length, WORKERS)
  for (const version of VERSIONS) await resumeOften(t, server, version)
  checkWorkers(t, server)
})

t.test('with a session cache, sessions without tickets are too', { skip }, async (t) => {
  const server = await serve(t, 'SSLSessionTickets off', 'SSLSessionCache shmcb:logs/cache(512000)')
  for (const version of VERSIONS) await resumeOften(t, server, version)
  checkWorkers(t, server)
})

/**
 * Visits with the session of the last visit until it is resumed: what one worker stores in a cache of another machine
 * may arrive there after the next visit has begun.
 */
async function resumeSoon(server: StagedServer, version: string): Promise<void> {
  const file = server.path('session')
  await until(`a session of ${version} is resumed`, () => visit(server.port, version, '-sess_in', file, '-sess_out', file))
}

/** Sessions are resumed by several workers, after reloads, and not needed when the cache is away. */
async function checkCache(t: Test, cache: string, store: StoreServer | null): Promise<void> {
  const server = await serve(t, 'SSLSessionTickets off', `SSLSessionCache ${cache}`)
  for (const version of VERSIONS) {
    t.equal(await visit(server.port, version, '-sess_out', server.path('session')), false, version)
    for (let count = 0; count < 2 * WORKERS; count++) await resumeSoon(server, version)
    await reload(server)
    await resumeSoon(server, version)
  }
  const workersThatResumed = (): number => {
    const lines = server.read('logs/access_log').split('\n')
    return new Set(lines.filter((line) => line.endsWith(' Resumed')).map((line) => line.split(' ', 1)[0])).size
  }
  await until('several workers resumed', () => workersThatResumed() > 2)
  t.ok(workersThatResumed() > 2, 'several workers resumed')
  if (store === null) return
  await store.stop()
  for (const version of VERSIONS) {
    for (let count = 0; count < 2 * WORKERS; count++) {
      // It throws without an answer.
      const isResumed = await visit(server.port, version, '-sess_in', server.path('session'), '-sess_out', server.path('session'))
      t.equal(isResumed, false, `${version} without the cache`)
    }
  }
  await store.restart()
  for (const version of VERSIONS) await resumeSoon(server, version)
}

t.test('sessions in a cache of kind dbm are resumed by all workers and after reloads', { skip }, (t) =>
  checkCache(t, 'dbm:logs/cache', null),
)

t.test('sessions in Redis too, and no handshake fails without it', { skip: skip || !hasRedis() }, async (t) => {
  const store = await redisStore()
  t.teardown(() => store.close())
  await checkCache(t, `redis:${store.address}`, store)
})

t.test('sessions in memcached too, and no handshake fails without it', { skip: skip || !hasMemcached() }, async (t) => {
  const store = await memcachedStore()
  t.teardown(() => store.close())
  await checkCache(t, `memcache:${store.address}`, store)
})
