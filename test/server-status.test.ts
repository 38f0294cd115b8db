import t, { type Test } from 'tap'
import { parseOpenMetrics } from '../modules/mod_status/test/open-metrics.ts'
import { childrenOf, gone, isRunning } from './fixtures/processes.ts'
import { StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const WORKERS = 3

const CONFIGURATION = [
  `WorkerProcesses ${WORKERS}`,
  ...'authz_core,authz_host,authz_user,authn_core,authn_file,auth_basic,access_compat,status,rewrite'
    .split(',')
    .map((name) => `LoadModule ${name}_module modules/mod_${name}.so`),
  '<Location "/server-status">',
  '  SetHandler server-status',
  '  RewriteEngine Off',
  '</Location>',
  '<Location "/private-status">',
  '  SetHandler server-status',
  '  AuthType Basic',
  '  AuthName status',
  '  AuthUserFile conf/passwords',
  '  Require valid-user',
  '</Location>',
  '<Directory "@ROOT@/htdocs">',
  '  AllowOverride FileInfo',
  '</Directory>',
  '<Location "/denied">',
  '  Require ip 192.0.2.1',
  '</Location>',
  '<Location "/shut">',
  '  Order allow,deny',
  '</Location>',
]

async function started(t: Test): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  server.configure(...CONFIGURATION)
  server.file('conf/passwords', 'bob:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n')
  server.file('htdocs/index.html', 'front')
  await server.start()
  return server
}

/** The value of a sample by its name and the values of its labels. */
type Metrics = (name: string, ...labels: readonly string[]) => number

async function metrics(server: StagedServer): Promise<Metrics> {
  const { body } = await server.get('/server-status?metrics')
  const samples = [...parseOpenMetrics(body).values()].flatMap((family) => family.samples)
  return (name, ...labels) =>
    samples
      .filter((sample) => sample.name === name && labels.every((label) => Object.values(sample.labels).includes(label)))
      .reduce((sum, { value }) => sum + value, 0)
}

const TOTAL = 'gatewright_requests_total'

async function visit(server: StagedServer, path: string, times: number): Promise<void> {
  for (let visits = 0; visits < times; visits++) await server.get(path)
}

t.test('every worker reports the figures of all workers', async (t) => {
  const server = await started(t)
  await visit(server, '/index.html', 12)
  for (let asked = 0; asked < 2 * WORKERS; asked++) {
    const { body } = await server.get('/server-status?auto')
    t.match(body, `\nTotal Accesses: ${12 + asked}\n`)
    t.match(body, /\nBusyWorkers: 1\n/)
    t.match(body, `\nProcesses: ${WORKERS}\n`)
  }
  const { requests, workers } = JSON.parse((await server.get('/server-status?json')).body)
  t.equal(requests.total, 12 + 2 * WORKERS)
  t.equal(workers.length, WORKERS)
  t.equal(
    workers.reduce((sum: number, worker: { requests: number }) => sum + worker.requests, 0),
    requests.total,
  )
})

t.test('no sum decreases when a worker dies, or when another configuration takes over', async (t) => {
  const server = await started(t)
  await visit(server, '/index.html', 10)
  await visit(server, '/denied', 5)
  t.equal((await metrics(server))(TOTAL), 15)

  const [victim] = childrenOf(server.pid)
  process.kill(victim, 'SIGKILL')
  await gone([victim])
  const afterDeath = await metrics(server)
  const total = afterDeath(TOTAL)
  t.ok(total === 15 || total === 16, 'only the answer itself may be missing, which nobody had been told of')
  await until('there is a successor', () => childrenOf(server.pid).length === WORKERS)

  const old = childrenOf(server.pid)
  server.signal('SIGUSR1')
  await until('the old workers have gone', () => !old.some(isRunning))
  const afterReload = await metrics(server)
  t.equal(afterReload(TOTAL), total + 1)
  t.equal(afterReload('gatewright_access_refused_total', 'denied', 'AH01630'), 5)
  t.equal(afterReload('gatewright_request_duration_seconds_count'), total + 1)
  t.equal(afterReload('gatewright_generation'), 1)
  t.equal(afterReload('gatewright_reloads_total', 'done'), 1)
  t.equal(afterReload('gatewright_worker_deaths_total'), 1)
  t.equal(afterReload('gatewright_workers', 'serving'), WORKERS)

  server.file('conf/httpd.conf', `${server.read('conf/httpd.conf')}Nonsense\n`)
  server.signal('SIGUSR1')
  await until('the configuration is refused', () => server.errors().some((line) => line.includes('cannot be used')))
  t.equal((await metrics(server))('gatewright_reloads_total', 'refused'), 1)
})

t.test('decisions are counted by outcome and by what refused', async (t) => {
  const server = await started(t)
  const bob = (password: string): { headers: Record<string, string> } => ({
    headers: { Authorization: `Basic ${Buffer.from(`bob:${password}`).toString('base64')}` },
  })
  await visit(server, '/denied', 2)
  await visit(server, '/shut', 3)
  await visit(server, '/private-status', 4)
  await server.get('/private-status', bob('wrong'))
  await server.get('/private-status', bob('secret'))
  await visit(server, '/index.html', 6)
  const told = await metrics(server)
  const refused = 'gatewright_access_refused_total'
  t.equal(told(refused, 'denied', 'authz_core', 'AH01630', 'ip'), 2)
  t.equal(told(refused, 'denied', 'access_compat', 'AH01797', 'Allow/Deny'), 3)
  t.equal(told(refused, 'challenged'), 5)
  t.equal(told(refused, 'challenged', 'auth_basic', 'AH01617'), 1)
  t.equal(told('gatewright_access_granted_total'), 7)
  t.equal(told('gatewright_password_checks_total', 'computed'), 2)
  t.equal(told(TOTAL, 'GET', '2xx'), 7)
  t.equal(told(TOTAL, 'GET', '4xx'), 10)
})

t.test('a front controller swallows the page like any other address, unless rewriting is off there', async (t) => {
  const server = await started(t)
  const rules = ['RewriteEngine On', 'RewriteCond %{REQUEST_FILENAME} !-f', 'RewriteRule . /index.html [L]']
  server.file('htdocs/.htaccess', `${rules.join('\n')}\n`)
  const headers = { Authorization: `Basic ${Buffer.from('bob:secret').toString('base64')}` }
  t.equal((await server.get('/private-status', { headers })).body, 'front')
  t.equal((await server.get('/private-status')).status, 401, 'it is protected all the same')
  t.match((await server.get('/server-status')).body, '<h1>Apache Server Status')
})

t.test(
  'the page has no validators: conditions are of no account, a range is cut out of it, and no cache can keep it',
  async (t) => {
    const server = await started(t)
    const conditions: readonly Record<string, string>[] = [
      {},
      { 'If-None-Match': '*' },
      { 'If-Match': '"x"' },
      { 'If-Modified-Since': 'Sat, 21 Nov 2037 00:00:00 GMT' },
      { 'If-Unmodified-Since': 'Sat, 21 Nov 2000 00:00:00 GMT' },
    ]
    for (const headers of conditions) {
      const { status, headers: fields } = await server.get('/server-status', { headers })
      t.equal(status, 200, JSON.stringify(headers))
      t.hasOwnProps(fields, ['content-length'])
      t.notOk('etag' in fields || 'last-modified' in fields)
    }
    const part = await server.get('/server-status', { headers: { Range: 'bytes=0-10' } })
    t.match(part, { status: 206, body: /^.{11}$/ }, 'as httpd does')
  },
)
