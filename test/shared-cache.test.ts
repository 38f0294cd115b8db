/** HostServices.shared over the workers of a server, over reloads, and over two servers with one Redis. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildModule } from '@gatewright/module-kit'
import { hasRedis, redisStore } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { childrenOf, gone } from './fixtures/processes.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

t.setTimeout(900_000)

const SOURCE = join(import.meta.dirname, 'fixtures/mod_quota/src/index.ts')
const WORKERS = 3
/** New connections after which every worker has had some: the system chooses the worker by the client's port. */
const CONNECTIONS = 30

/** A server whose `/q` counts and can be closed. */
async function start(t: Test, ...lines: readonly string[]): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  await buildModule({ entry: SOURCE, outFile: server.path('modules/mod_quota.mjs') })
  server.configure(
    ...['authz_core', 'socache_redis'].map((name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`),
    'LoadModule quota_module modules/mod_quota.so',
    `WorkerProcesses ${WORKERS}`,
    '<Location /q>\nRequire all granted\nSetHandler quota\n</Location>',
    ...lines,
  )
  await server.start()
  return server
}

interface Counted {
  readonly taken: number
  readonly by: string
}

async function take(server: StagedServer): Promise<Counted> {
  const { status, body } = await server.get('/q')
  const [, taken, by] = /^(\d+) by (\d+)\n$/.exec(body) ?? []
  if (status !== 200 || taken === undefined) throw new Error(`${status}: ${body}`)
  return { taken: Number(taken), by }
}

const takeOften = (server: StagedServer): Promise<Counted[]> =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => take(server)))

const sumsOf = (counted: readonly Counted[]): readonly number[] => counted.map(({ taken }) => taken).sort((a, b) => a - b)

const numbers = (from: number): readonly number[] => Array.from({ length: CONNECTIONS }, (_, index) => from + index)

/** Waits until so many connections in a row, which all workers have, get a status. */
function allAnswer(server: StagedServer, wanted: number): Promise<void> {
  return until(`all workers answer ${wanted}`, async () => {
    for (let count = 0; count < CONNECTIONS; count++) if ((await server.get('/q')).status !== wanted) return false
    return true
  })
}

t.test('all workers count together and hear each other, also after a reload', async (t) => {
  const server = await start(t)
  const before = await takeOften(server)
  t.same(sumsOf(before), numbers(1), 'each number once')
  t.equal(new Set(before.map(({ by }) => by)).size, WORKERS)
  const former = childrenOf(server.pid)
  server.signal('SIGUSR1')
  await gone(former)
  const after = await takeOften(server)
  t.same(sumsOf(after), numbers(CONNECTIONS + 1), 'the reload has forgotten nothing')
  for (const { by } of after) t.notOk(former.includes(Number(by)))
  t.equal((await server.get('/q?close')).status, 200)
  await allAnswer(server, 429)
  t.equal((await server.get('/q?open')).status, 200)
  await until('the quota is open', async () => (await server.get('/q')).status === 200)
})

t.test(
  'two servers with one Redis count together; without it, who depends on the count is refused',
  { skip: !hasRedis() },
  async (t) => {
    const redis = await redisStore()
    t.teardown(() => redis.close())
    const cache = `SharedCache redis:${redis.address}`
    const [one, other] = [await start(t, cache), await start(t, cache)]
    t.same(sumsOf(await takeOften(one)), numbers(1))
    t.same(sumsOf(await takeOften(other)), numbers(CONNECTIONS + 1))
    await until('the other server has heard that the quota is closed', async () => {
      await one.get('/q?close')
      return (await other.get('/q')).status === 429
    })
    await until('it is open again', async () => {
      await other.get('/q?open')
      return (await one.get('/q')).status !== 429
    })

    await redis.stop()
    for (const server of [one, other]) {
      for (let count = 0; count < CONNECTIONS; count++) t.equal((await server.get('/q')).status, 503, 'nothing is given away')
    }
    await redis.restart()
    for (const server of [one, other]) {
      await until('the server counts again', async () => (await server.get('/q')).status === 200)
      const lines = (): readonly string[] => server.errors().filter((line) => line.startsWith('[socache_redis:'))
      await until('the log has both ends of the pause', () => lines().some((line) => line.endsWith('answers again')))
      t.match(lines()[0], /^\[socache_redis:error\] .*redis server .* does not answer: .*; requests are served without it$/)
    }
  },
)

t.test('SharedCache names a kind of cache that a module has', async (t) => {
  const server = await StagedServer.make(t)
  const redis = `LoadModule socache_redis_module ${join(MODULES, 'mod_socache_redis.so')}`
  for (const [lines, expected] of [
    [['SharedCache redis:h:1'], /SharedCache: there is no kind of cache 'redis'/],
    [[redis, 'SharedCache redis'], /SharedCache: List of server names required to create redis socache\./],
    [[redis, 'SharedCache redis:h:99999'], /SharedCache: Failed to Parse redis Server: 'h:99999'/],
    [[redis, '<VirtualHost *:1>\nSharedCache redis:h\n</VirtualHost>'], /SharedCache (not allowed|cannot occur)/],
    [[redis, 'SharedCache redis:h'], /Syntax OK/],
  ] as const) {
    server.configure(...lines)
    const { stdout, stderr } = await server.run('-t')
    t.match([...stdout, ...stderr].join('\n'), expected)
  }
})

t.test('the page of the module API prints the module that these tests use', (t) => {
  const page = readFileSync(join(import.meta.dirname, '../packages/api/README.md'), 'utf8')
  t.ok(page.includes(readFileSync(SOURCE, 'utf8').trim()))
  t.end()
})
