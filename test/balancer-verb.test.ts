/** `gatewright balancer`: an operator shows and changes the balancers of a running server. */
import { statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { gatewright, type ToolRun } from './fixtures/gatewright.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const NEEDED = ['authz_core', 'proxy', 'proxy_http', 'slotmem_shm', 'lbmethod_byrequests', 'lbmethod_bytraffic', 'proxy_balancer']

/** A member that answers with its name, and keeps requests for `/held` until they are released. */
class Member {
  readonly name: string
  readonly held: ServerResponse[] = []
  readonly #server = createServer((request, response) => {
    if (request.url === '/held') this.held.push(response)
    else {
      response.statusCode = request.url === '/failing' ? 500 : 200
      response.end(this.name)
    }
  })
  #port = 0

  constructor(name: string) {
    this.name = name
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async start(t: Test): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      this.#server.closeAllConnections()
      this.#server.close()
    })
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    this.#port = address.port
  }

  release(): void {
    for (const response of this.held.splice(0)) response.end(`${this.name} held`)
  }
}

interface Site {
  readonly server: StagedServer
  readonly one: Member
  readonly two: Member
  ask(...words: readonly string[]): Promise<ToolRun>
}

async function served(t: Test, ...lines: readonly string[]): Promise<Site> {
  const [one, two] = [new Member('one'), new Member('two')]
  await one.start(t)
  await two.start(t)
  const server = await StagedServer.make(t)
  server.configure(
    'WorkerProcesses 2',
    ...NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    '<Proxy "balancer://app">',
    `BalancerMember "${one.url}" route=r1`,
    `BalancerMember "${two.url}" route=r2`,
    '</Proxy>',
    'ProxyPass "/" "balancer://app/"',
    ...lines,
  )
  await server.start()
  const ask = (...words: readonly string[]): Promise<ToolRun> => gatewright(['balancer', '-d', server.root, ...words])
  return { server, one, two, ask }
}

/** Who answers a number of requests, over several connections. */
async function answering({ server }: Site, requests = 12): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(Array.from({ length: requests }, () => server.get('/')))
  return new Set(answers.map(({ status, body }) => (status === 200 ? body : String(status))))
}

function data({ stdout }: ToolRun): { readonly balancers: readonly { readonly members: readonly Record<string, unknown>[] }[] } {
  return JSON.parse(stdout)
}

t.test('an operator sees the members, and takes them out of service and back in all processes', async (t) => {
  const site = await served(t)
  t.strictSame(await answering(site), new Set(['one', 'two']))
  const list = await site.ask()
  t.equal(list.status, 0, list.stderr)
  t.match(list.stdout, /^balancer:\/\/app of localhost, byrequests\n +MEMBER +ROUTE +FACTOR .*STATE\n/)
  t.match(list.stdout, new RegExp(`^ +${site.one.url} +r1 +1\\.00 .* ok$`, 'm'))

  const disabled = await site.ask('disable', 'app', site.one.url)
  t.equal(disabled.status, 0, disabled.stderr)
  t.match(disabled.stdout, new RegExp(`^ +${site.one.url} .* disabled$`, 'm'))
  t.strictSame(await answering(site), new Set(['two']), 'at once, in all processes')

  const last = await site.ask('--json', 'drain', 'balancer://app', 'r2')
  t.strictSame(JSON.parse(last.stdout).notes, ['no member of balancer://app takes new requests'])
  t.strictSame(await answering(site), new Set(['503']))

  t.equal((await site.ask('enable', 'app', 'r2')).status, 0)
  t.strictSame(await answering(site), new Set(['two']))
  t.equal((await site.ask('enable', 'app', 'r1')).status, 0)
  t.strictSame(await answering(site), new Set(['one', 'two']))
  t.match(
    site.server.errors().filter((line) => line.includes('an operator')),
    [
      `[proxy_balancer:notice] an operator at this machine changed balancer://app ${site.one.url}: disable`,
      `[proxy_balancer:notice] an operator at this machine changed balancer://app ${site.two.url}: drain`,
      `[proxy_balancer:notice] an operator at this machine changed balancer://app ${site.two.url}: enable`,
      `[proxy_balancer:notice] an operator at this machine changed balancer://app ${site.one.url}: enable`,
    ],
  )
})

t.test('a member in error serves again as soon as it is enabled', async (t) => {
  const site = await served(t, '<Proxy "balancer://app">', 'ProxySet failonstatus=500', '</Proxy>')
  t.equal((await site.ask('disable', 'app', 'r2')).status, 0)
  t.match(await site.server.get('/failing'), { status: 500, body: 'one' })
  t.equal((await site.ask('enable', 'app', 'r2')).status, 0)
  await until('all processes know of the error', async () => {
    const [balancer] = data(await site.ask('--json')).balancers
    return JSON.stringify(balancer?.members[0]?.states) === '["inError"]'
  })
  t.strictSame(await answering(site), new Set(['two']))
  t.equal((await site.ask('enable', 'app', 'r1')).status, 0)
  t.strictSame(await answering(site), new Set(['one', 'two']))
})

t.test('requests in progress are finished, and --wait waits for them, also for those of a former configuration', async (t) => {
  const site = await served(t)
  t.equal((await site.ask('disable', 'app', 'r2')).status, 0)
  const request = site.server.get('/held')
  await until('the member has the request', () => site.one.held.length === 1)
  t.equal((await site.ask('enable', 'app', 'r2')).status, 0)
  await until('the request is counted', async () => data(await site.ask('--json')).balancers[0]?.members[0]?.busy === 1)
  const early = await site.ask('disable', '--wait', '0', 'app', 'r1')
  t.equal(early.status, 1)
  t.match(early.stderr, /r1 still has requests after 0 seconds\nhint: /)
  t.equal((await site.server.run('-k', 'graceful')).status, 0)
  t.equal(data(await site.ask('--json')).balancers[0]?.members[0]?.busy, 0, 'none of the new configuration')
  const afterReload = await site.ask('disable', '--wait', '0', 'app', 'r1')
  t.equal(afterReload.status, 1, 'those of the former one count')
  const waiting = site.ask('--json', 'disable', '--wait', '600', 'app', 'r1')
  site.one.release()
  const waited = await waiting
  t.equal(waited.status, 0, waited.stderr)
  t.equal(JSON.parse(waited.stdout).idle, true)
  t.match(await request, { status: 200, body: 'one held' })
})

t.test('factors and parameters are changed, and what is wrong is said', async (t) => {
  const site = await served(t)
  const set = await site.ask('--json', 'set', 'app', 'r1', 'loadfactor=3', 'lbset=1')
  t.equal(set.status, 0, set.stderr)
  t.match(data(set).balancers[0]?.members[0], { loadfactor: 3, lbset: 1 })
  t.equal(JSON.parse((await site.ask('--json', 'set', 'app', 'lbmethod=bytraffic')).stdout).balancers[0].lbmethod, 'bytraffic')
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['set', 'app', 'r1', 'loadfactor=0'], /LoadFactor must be a number between 1\.\.100/],
    [['set', 'app', 'r1', 'max=3'], /a member has no parameter max that can be changed: use loadfactor, /],
    [['set', 'app', 'lbmethod=best'], /unknown lbmethod/],
    [['drain', 'other', 'r1'], /there is no balancer balancer:\/\/other\nhint: there is balancer:\/\/app\n/],
    [['drain', 'app', 'r3'], /balancer:\/\/app has no member r3\nhint: it has http:/],
    [['--server', 'elsewhere', 'drain', 'app', 'r1'], /no server elsewhere has a balancer balancer:\/\/app/],
  ]
  for (const [words, message] of wrong) {
    const run = await site.ask(...words)
    t.equal(run.status, 1, words.join(' '))
    t.match(run.stderr, message)
  }
  for (const words of [
    ['drain', 'app'],
    ['list', '--wait', '3'],
    ['hide'],
    ['set', 'app', 'r1'],
    ['drain', '--wait', 'x', 'app', 'r1'],
  ])
    t.equal((await site.ask(...words)).status, 2, words.join(' '))
})

t.test('only the user of the server and root can ask it, and its end is reported', async (t) => {
  const site = await served(t)
  const socket = site.server.path('logs/httpd.pid.control')
  await until('the server listens for commands', () => statSync(socket, { throwIfNoEntry: false }) !== undefined)
  t.equal(statSync(socket).mode & 0o777, 0o600)
  const byFile = await gatewright(['balancer', '--pid-file', site.server.path('logs/httpd.pid')])
  t.equal(byFile.status, 0, byFile.stderr)
  await site.server.stop()
  t.equal(statSync(socket, { throwIfNoEntry: false }), undefined, 'the socket ends with the server')
  const after = await site.ask()
  t.equal(after.status, 1)
  t.match(after.stderr, /^gatewright balancer: no server runs with the pid file .*logs\/httpd\.pid\nhint: /)
})

t.test('a server without balancers listens for no commands', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(`LoadModule authz_core_module ${MODULES}/mod_authz_core.mjs`)
  await server.start()
  const run = await gatewright(['balancer', '-d', server.root])
  t.equal(run.status, 1)
  t.match(run.stderr, /the server cannot be asked: .*ENOENT.*\nhint: a server listens for commands if/)
})
