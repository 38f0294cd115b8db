/** Two machines and one Redis hold one limit. */
import { hasRedis, redisStore } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

t.setTimeout(900_000)

const BURST = 99
/** Requests to each machine, of which one in four is within the limit. */
const REQUESTS = 200
/** Requests at the same time to each machine. */
const LANES = 8

async function machine(t: Test, redis: string): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  server.configure(
    'WorkerProcesses 2',
    // However busy this computer is, the Redis is not away, and no request is given up.
    'Timeout 600',
    ...['authz_core', 'socache_redis', 'request_rate'].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    'RedisTimeout 300s',
    `SharedCache redis:${redis}`,
    '<Location />',
    // One more request an hour: what the speed of this computer adds is none.
    `RequestRate 24r/d burst=${BURST} name=all shared=strict`,
    '</Location>',
  )
  server.file('htdocs/f', 'f')
  await server.start()
  return server
}

async function lane(server: StagedServer, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await server.get('/f')).status)
  return statuses
}

t.test('two servers with one Redis admit no more than one burst', { skip: !hasRedis() }, async (t) => {
  const redis = await redisStore()
  t.teardown(() => redis.close())
  const machines = [await machine(t, redis.address), await machine(t, redis.address)]
  const lanes = machines.flatMap((server) => Array.from({ length: LANES }, () => lane(server, REQUESTS / LANES)))
  const statuses = (await Promise.all(lanes)).flat()
  const admitted = statuses.filter((status) => status === 200).length
  t.equal(statuses.filter((status) => status === 429).length, statuses.length - admitted)
  t.ok(admitted <= Math.floor((BURST + 1) * 1.05), `an overrun of 5 % at most: ${admitted} of ${BURST + 1}`)
  t.ok(admitted >= BURST + 1 - 5, `and no request lost: ${admitted} of ${BURST + 1}`)

  await redis.stop()
  for (const server of machines)
    t.match((await server.get('/f')).status, /^(?:429|503)$/, 'nobody is admitted while the count is not known')
})
