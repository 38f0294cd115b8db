import t, { type Test } from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'
import { Visitor } from './fixtures/visitor.ts'

const DESCRIPTORS = 160
/** More than a worker with so many descriptors takes. */
const CROWD = 200
const LARGE = 20_000_000
const GREEDY = '127.0.0.9'
const REQUEST = 'GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n'

async function started(t: Test): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  server.file('htdocs/small.txt', 'small\n')
  server.file('htdocs/large.bin', Buffer.alloc(LARGE))
  server.configure(
    ...['authz_core', 'status'].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    'KeepAliveTimeout 60',
    '<Directory "@ROOT@/htdocs">',
    'Require all granted',
    '</Directory>',
    '<Location "/server-status">',
    'SetHandler server-status',
    'Require all granted',
    '</Location>',
  )
  await server.startWithin(DESCRIPTORS)
  return server
}

/** As many connections as one address can get. */
async function crowd(t: Test, server: StagedServer, count: number): Promise<Visitor[]> {
  return Promise.all(Array.from({ length: count }, () => Visitor.arrive(t, server.port, GREEDY)))
}

const remaining = (visitors: readonly Visitor[]): number => visitors.filter(({ gone }) => !gone).length

async function crowdedOut(server: StagedServer): Promise<{ refused: number; displaced: number }> {
  const { body } = await server.get('/server-status?json', { from: '127.0.0.3' })
  const { refused, displaced } = JSON.parse(body).connections
  return { refused, displaced }
}

/** A visitor from another address, who connects again after each rejection. */
async function served(t: Test, server: StagedServer, from: string): Promise<string> {
  for (;;) {
    const visitor = await Visitor.arrive(t, server.port, from)
    const body = await visitor.get('/small.txt').catch(() => '')
    if (body !== '') return body
  }
}

t.test('an address that holds all connections, kept alive without a request, is no hindrance to others', async (t) => {
  const server = await started(t)
  const greedy = await crowd(t, server, CROWD)
  await Promise.all(greedy.map((visitor) => visitor.get('/small.txt').catch(() => '')))
  const held = remaining(greedy)
  t.ok(held < CROWD, `${held} of ${CROWD} have got in`)

  for (let host = 11; host <= 15; host++) {
    const visitor = await Visitor.arrive(t, server.port, `127.0.0.${host}`)
    t.equal(await visitor.get('/small.txt'), 'small\n', 'at the first attempt')
  }
  await until('the greedy have noticed', () => remaining(greedy) === held - 5)
  t.match(
    server.errors().filter((line) => line.includes('in favour of')),
    [
      /^\[mpm_event:warn\] no descriptors are left for more connections: the server closed one of the \d+ connections of 127\.0\.0\.9 in favour of 127\.0\.0\.11, which has 0: raise the limit/,
    ],
    'one line for all of them',
  )
  const counts = await crowdedOut(server)
  t.equal(counts.displaced, 6, 'the one who asks has displaced another')
  t.ok(counts.refused >= CROWD - held)
})

for (const [what, attack] of [
  ['sends half a head on each', (visitor: Visitor) => visitor.send('GET / HTTP/1.1\r\nHost: loc')],
  [
    'takes nothing of its answers',
    (visitor: Visitor) => {
      visitor.stopReading()
      visitor.send(REQUEST)
    },
  ],
] as const) {
  t.test(`others are served beside an address that holds all connections and ${what}`, async (t) => {
    const server = await started(t)
    const greedy = await crowd(t, server, CROWD)
    for (const visitor of greedy) attack(visitor)
    t.equal(await served(t, server, '127.0.0.11'), 'small\n')
    t.equal(await served(t, server, '127.0.0.12'), 'small\n')
    t.ok((await crowdedOut(server)).displaced >= 3)
  })
}

t.test('many clients with one address are not affected while there is capacity', async (t) => {
  const server = await started(t)
  const behindProxy = await crowd(t, server, 40)
  for (const visitor of behindProxy) t.equal(await visitor.get('/small.txt'), 'small\n')
  t.equal(await served(t, server, '127.0.0.11'), 'small\n')
  for (const visitor of behindProxy) t.equal(await visitor.get('/small.txt'), 'small\n')
  t.strictSame(await crowdedOut(server), { refused: 0, displaced: 0 })
})
