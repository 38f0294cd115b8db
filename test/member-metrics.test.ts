/** The figures of the members of balancers in `?metrics`, and the time of back ends in access logs. */
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import t, { type Test } from 'tap'
import { type ParsedFamily, parseOpenMetrics } from '../modules/mod_status/test/open-metrics.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const NEEDED = ['authz_core', 'status', 'proxy', 'proxy_http', 'slotmem_shm', 'lbmethod_byrequests', 'proxy_balancer']
const PREFIX = 'gatewright_proxy_member_'
/** Of the slow member, in ms. */
const DELAY = 120

interface Members {
  readonly fast: string
  readonly slow: string
  readonly broken: string
  readonly closed: string
}

async function startMembers(t: Test): Promise<Members> {
  const fast = createServer((_request, response) => response.end('fast'))
  const slow = createServer((_request, response) => setTimeout(() => response.end('slow'), DELAY))
  // Its idle connections stay open for the figures.
  slow.keepAliveTimeout = 0
  const broken = createTcpServer((socket) => socket.on('error', () => undefined).on('data', () => socket.destroy()))
  const url = async (server: typeof fast | typeof broken): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => void server.close())
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return `http://127.0.0.1:${address.port}`
  }
  t.teardown(() => {
    fast.closeAllConnections()
    slow.closeAllConnections()
  })
  return { fast: await url(fast), slow: await url(slow), broken: await url(broken), closed: 'http://127.0.0.1:1' }
}

async function start(t: Test, members: Members, status: string): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  server.configure(
    'WorkerProcesses 2',
    ...NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    `ProxyStatus ${status}`,
    'LogFormat "%U %>s %{upstream-time}n" times',
    'CustomLog logs/times times',
    ...Object.entries(members).flatMap(([name, member]) => [
      `<Proxy "balancer://${name}">`,
      `BalancerMember "${member}" retry=0`,
      '</Proxy>',
      `ProxyPass "/${name}" "balancer://${name}"`,
    ]),
    `ProxyPass "/plain" "${members.slow}/path"`,
    '<Location "/server-status">',
    'SetHandler server-status',
    '</Location>',
  )
  await server.start()
  return server
}

async function families(server: StagedServer): Promise<ReadonlyMap<string, ParsedFamily>> {
  const { status, body } = await server.get('/server-status?metrics')
  if (status !== 200) throw new Error(`${status}`)
  return parseOpenMetrics(body)
}

function value(all: ReadonlyMap<string, ParsedFamily>, name: string, balancer: string, le?: string): number | undefined {
  const base = name.replace(/_(?:total|bucket|count|sum)$/, '')
  return all
    .get(PREFIX + base)
    ?.samples.find(
      (one) => one.name === PREFIX + name && one.labels.balancer === `balancer://${balancer}` && one.labels.le === le,
    )?.value
}

t.test('metrics have the figures of members, summed over all processes', async (t) => {
  const members = await startMembers(t)
  const server = await start(t, members, 'On')
  for (let request = 0; request < 6; request++) {
    t.equal((await server.get('/fast')).body, 'fast')
    t.equal((await server.get('/broken')).status, 502)
    t.equal((await server.get('/closed')).status, 503)
  }
  for (let request = 0; request < 2; request++) t.equal((await server.get('/slow')).body, 'slow')
  let all = await families(server)
  const isComplete = (): boolean =>
    ['fast', 'broken', 'closed'].every((name) => value(all, 'duration_seconds_count', name) === 6) &&
    value(all, 'duration_seconds_count', 'slow') === 2
  await until('the figures of all processes are there', async () => {
    all = await families(server)
    return isComplete()
  })
  t.equal(value(all, 'requests_total', 'fast'), 6)
  t.equal(value(all, 'failures_total', 'fast'), 0)
  t.equal(value(all, 'usable', 'fast'), 1)
  t.equal(value(all, 'failures_total', 'broken'), 6)
  t.equal(value(all, 'failures_total', 'closed'), 6)
  t.ok((value(all, 'retries_total', 'closed') ?? 0) > 0)
  t.ok((value(all, 'received_bytes_total', 'fast') ?? 0) > 0)
  t.ok((value(all, 'sent_bytes_total', 'slow') ?? 0) > 0)
  t.equal(value(all, 'duration_seconds_bucket', 'slow', '0.1'), 0, 'no shorter time than that of the member')
  t.equal(value(all, 'duration_seconds_bucket', 'slow', '+Inf'), 2)
  t.ok((value(all, 'duration_seconds_sum', 'slow') ?? 0) >= (2 * (DELAY - 1)) / 1000)
})

t.test('workers that no balancer has, and connections to all, have figures of their own', async (t) => {
  const members = await startMembers(t)
  const server = await start(t, members, 'On')
  for (let request = 0; request < 3; request++) t.equal((await server.get('/plain')).body, 'slow')
  t.equal((await server.get('/closed')).status, 503)
  let all = await families(server)
  const worker = (name: string, le?: string): number | undefined =>
    all
      .get(`gatewright_proxy_${name.replace(/_(?:total|bucket|count|sum)$/, '')}`)
      ?.samples.find(
        (one) =>
          one.name === `gatewright_proxy_${name}` &&
          one.labels.worker === `${members.slow}/path` &&
          (le === undefined || one.labels.le === le),
      )?.value
  const stateOf = (state: string): number =>
    all
      .get('gatewright_proxy_connections')
      ?.samples.find(({ labels }) => labels.worker === `${members.slow}/path` && labels.state === state)?.value ?? 0
  await until('the figures of all processes are there', async () => {
    all = await families(server)
    const idle = stateOf('idle')
    return worker('worker_requests_total') === 3 && idle > 0 && idle === worker('connections_opened_total')
  })
  t.equal(worker('worker_failures_total'), 0)
  t.equal(worker('worker_duration_seconds_bucket', '0.1'), 0)
  t.equal(worker('worker_duration_seconds_bucket', '+Inf'), 3)
  t.equal(
    (worker('connections_opened_total') ?? 0) + (worker('connections_reused_total') ?? 0),
    3,
    'each request had a connection',
  )
  t.equal(worker('worker_busy'), 0)
  t.equal(stateOf('in_use'), 0)
  const failed = all.get('gatewright_proxy_connections_failed')?.samples.find(({ labels }) => labels.worker === members.closed)
  t.ok((failed?.value ?? 0) >= 1, 'members have connections, too')
  const { modules } = JSON.parse((await server.get('/server-status?json')).body)
  t.match(modules.gatewright_proxy_worker_requests, [{ labels: { worker: `${members.slow}/path` }, value: 3 }])
  t.ok(modules.gatewright_proxy_member_duration_seconds.some(({ part }: { readonly part: string }) => part === 'bucket'))
})

t.test('without ProxyStatus there are none', async (t) => {
  const server = await start(t, await startMembers(t), 'Off')
  const all = await families(server)
  t.notOk([...all.keys()].some((name) => name.startsWith(PREFIX)))
})

t.test('%{upstream-time}n is the time of back ends in microseconds', async (t) => {
  const server = await start(t, await startMembers(t), 'Off')
  for (const path of ['/slow', '/plain', '/closed', '/server-status?auto']) await server.get(path)
  const logged = (): readonly string[] => server.read('logs/times').split('\n').filter(Boolean)
  await until('all requests are logged', () => logged().length >= 4)
  const times = new Map(logged().map((line) => [line.split(' ')[0], line.split(' ')[2]]))
  const least = (DELAY - 1) * 1000
  t.ok(Number(times.get('/slow')) >= least, String(times.get('/slow')))
  t.ok(Number(times.get('/plain')) >= least, String(times.get('/plain')))
  t.match(times.get('/closed'), /^\d+$/)
  t.equal(times.get('/server-status'), '-')
})
