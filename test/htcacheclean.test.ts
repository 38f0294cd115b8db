import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const HTCACHECLEAN = join(import.meta.dirname, '../dist/bin/htcacheclean')

function htcacheclean(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(HTCACHECLEAN, args, { encoding: 'utf8', timeout: 120_000 })
}

/** A server that caches two pages, and has both in its cache. */
async function cachingServer(t: Test): Promise<{ server: StagedServer; cache: string; ask: (page: string) => Promise<string> }> {
  const server = await StagedServer.make(t)
  for (const name of ['one', 'two']) server.file(`htdocs/${name}.txt`, `${name}\n`)
  const cache = server.path('cache')
  mkdirSync(cache)
  chmodSync(cache, 0o777)
  server.configure(
    ...['authz_core', 'headers', 'cache', 'cache_disk'].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    'CacheRoot @ROOT@/cache',
    'CacheEnable disk /',
    'CacheHeader on',
    'Header set Cache-Control max-age=3600',
    '<Location />',
    'Require all granted',
    '</Location>',
  )
  await server.start()
  const ask = async (page: string): Promise<string> => {
    const { status, headers } = await server.get(page)
    t.equal(status, 200)
    return String(headers['x-cache'])
  }
  for (const page of ['/one.txt', '/two.txt']) {
    await ask(page)
    await until(`${page} is stored`, async () => /^HIT/.test(await ask(page)))
  }
  return { server, cache, ask }
}

t.test('a running server asks again for a URL that was removed, and has the others', async (t) => {
  const { server, cache, ask } = await cachingServer(t)
  const urls = htcacheclean('-a', `-p${cache}`).stdout.split('\n').filter(Boolean).sort()
  t.equal(urls.length, 2, urls.join(' '))
  t.match(urls[0], /^http:\/\/127\.0\.0\.1:\d+\/one\.txt\?$/)
  t.match(htcacheclean('-v', `-p${cache}`, urls[0]), { status: 0, stderr: `Removed: ${urls[0]}\n` })
  t.match(await ask('/one.txt'), /^MISS/)
  t.match(await ask('/two.txt'), /^HIT/)
  t.match(await server.stop(), { status: 0 })
})

t.test('in the background, the size is limited until a signal ends the program', async (t) => {
  const { server, cache, ask } = await cachingServer(t)
  const pidFile = server.path('htcacheclean.pid')
  t.match(htcacheclean('-d1', '-i', '-t', '-l1', `-P${pidFile}`, `-p${cache}`), { status: 0, stdout: '', stderr: '' })
  const pid = Number(readFileSync(pidFile, 'utf8'))
  t.teardown(() => spawnSync('kill', ['-9', String(pid)]))
  const files = (): string[] =>
    readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(header|data)$/.test(name))
  await until('all responses are removed, which takes ten seconds', () => files().length === 0)
  t.match(await ask('/two.txt'), /^MISS/)
  process.kill(pid, 'SIGTERM')
  await until('the file with the process ID has gone', () => !existsSync(pidFile))
  await until(
    'the program has ended',
    () => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '),
  )
  t.match(await server.stop(), { status: 0 })
})

t.test('a file for the process ID that cannot be written is an error, and nothing runs in the background', async (t) => {
  const folder = t.testdir()
  t.match(htcacheclean('-d1', '-l1', '-P/does/not/exist', `-p${folder}`), { status: 1, stderr: /No such file or directory/ })
})
