import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

const NEEDED = [
  'authz_core',
  'headers',
  'proxy',
  'proxy_http',
  'slotmem_shm',
  'lbmethod_byrequests',
  'lbmethod_bytraffic',
  'proxy_balancer',
]
/** Only a failure exceeds this (ms). */
const PATIENCE = 120_000

function configure(server: StagedServer, generation: string, persist: string): void {
  server.configure(
    'WorkerProcesses 2',
    ...NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    `BalancerPersist ${persist}`,
    `Header always set X-Generation ${generation}`,
    '<Proxy "balancer://app">',
    'BalancerMember "http://127.0.0.1:9001"',
    'BalancerMember "http://127.0.0.1:9002"',
    'ProxySet nonce=known',
    '</Proxy>',
    '<Location "/manager">',
    'SetHandler balancer-manager',
    '</Location>',
  )
}

async function manager(
  server: StagedServer,
  query: string,
): Promise<{ readonly generation: string | null; readonly text: string }> {
  const url = `http://localhost:${server.port}/manager`
  const answer = await fetch(`${url}?${query}`, { headers: { Referer: url, Connection: 'close' } })
  return { generation: answer.headers.get('X-Generation'), text: await answer.text() }
}

/** Name, states and factor of each member, and the method, as one line each. */
async function shown(server: StagedServer): Promise<readonly string[]> {
  const { text } = await manager(server, 'xml=1')
  const values = (name: string): string[] =>
    [...text.matchAll(new RegExp(`<httpd:${name}>([^<]*)</httpd:${name}>`, 'g'))].map(([, value]) => value)
  const [, ...names] = values('name')
  const [states, factors, routes] = [values('status'), values('loadfactor'), values('route')]
  return [
    ...values('lbmethod'),
    ...names.map((name, index) => `${name} ${states[index].trim()} ${factors[index]} ${routes[index]}`),
  ]
}

/** Polls until both processes of a generation answer, and those of the former one do not. */
async function reload(server: StagedServer, generation: string): Promise<void> {
  server.signal('SIGUSR1')
  for (const end = performance.now() + PATIENCE; ; await pause(50)) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => manager(server, 'xml=1')))
    if (answers.every((answer) => answer.generation === generation)) return
    if (performance.now() > end) throw new Error(`generation ${generation} does not serve`)
  }
}

const CHANGED = [
  'bytraffic',
  'http://127.0.0.1:9001 Init Dis 3.00 one',
  'http://127.0.0.1:9002 Init Ok 1.00 ',
  'http://127.0.0.1:9003 Init Ok 1.00 ',
]
const CONFIGURED = ['byrequests', 'http://127.0.0.1:9001 Init Ok 1.00 ', 'http://127.0.0.1:9002 Init Ok 1.00 ']

async function changed(t: Test, persist: string): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  configure(server, 'first', persist)
  await server.start()
  for (const query of [
    'b=app&nonce=known&b_lbm=bytraffic',
    'b=app&nonce=known&w=http://127.0.0.1:9001&w_lf=3&w_wr=one&w_status_D=1',
    'b=app&nonce=known&b_nwrkr=http://127.0.0.1:9003&b_wyes=1',
    'b=app&nonce=known&w=http://127.0.0.1:9003&w_status_D=0',
  ]) {
    await manager(server, query)
    // The other process learns of it before the next change, which may reach that one.
    for (const end = performance.now() + PATIENCE; ; await pause(20)) {
      const states = await Promise.all(Array.from({ length: 8 }, () => shown(server)))
      if (states.every((state) => state.join() === states[0].join() && state.join() !== CONFIGURED.join())) break
      if (performance.now() > end) throw new Error('processes differ')
    }
  }
  t.strictSame(await shown(server), CHANGED)
  return server
}

t.test('BalancerPersist keeps what the manager has changed across reloads', async (t) => {
  const server = await changed(t, 'On')
  for (const generation of ['second', 'third']) {
    configure(server, generation, 'On')
    await reload(server, generation)
    t.strictSame(await shown(server), CHANGED, generation)
  }
  await manager(server, 'b=app&nonce=known&w=http://127.0.0.1:9001&w_status_D=0')
  configure(server, 'fourth', 'On')
  await reload(server, 'fourth')
  t.strictSame(
    await shown(server),
    CHANGED.map((line) => line.replace('Dis', 'Ok')),
    'a later change counts',
  )
})

t.test('without BalancerPersist, a reload returns to the configuration', async (t) => {
  const server = await changed(t, 'Off')
  configure(server, 'second', 'Off')
  await reload(server, 'second')
  t.strictSame(await shown(server), CONFIGURED)
})
