import t, { type Test } from 'tap'
import { type Field, frameBytes, pseudoFields, uint32 } from '../packages/http2/test/support/frames.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'
import { Visitor } from './fixtures/visitor.ts'
import { FrameSocket } from './http2/frame-socket.ts'

const DESCRIPTORS = 160
/** More than a worker with so many descriptors takes. */
const CROWD = 200
const GREEDY = '127.0.0.9'
const SECOND = 1000
const NO_WINDOW = Buffer.concat([Buffer.from([0, 4]), uint32(0)])

const get: readonly Field[] = pseudoFields('GET', '/large.bin')
const post: readonly Field[] = pseudoFields('POST', '/reflect')

async function started(t: Test): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  server.file('htdocs/small.txt', 'small\n')
  server.file('htdocs/large.bin', Buffer.alloc(20_000_000))
  server.configure(
    ...['authz_core', 'http2', 'reflector'].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    'Protocols h2c http/1.1',
    'KeepAliveTimeout 60',
    '<Location "/">',
    'Require all granted',
    '</Location>',
    '<Location "/reflect">',
    'SetHandler reflector',
    '</Location>',
  )
  await server.startWithin(DESCRIPTORS)
  return server
}

/** As many connections of HTTP/2 as one address can get. */
async function crowd(t: Test, server: StagedServer): Promise<FrameSocket[]> {
  const reach = { port: server.port, from: GREEDY }
  const clients = await Promise.all(Array.from({ length: CROWD }, () => FrameSocket.begin(reach, NO_WINDOW).catch(() => null)))
  const held = clients.filter((client) => client !== null)
  t.teardown(() => held.map((client) => client.destroy()))
  return held
}

/** A visitor from another address, who connects again after each rejection. */
async function served(t: Test, server: StagedServer, from: string): Promise<string> {
  for (;;) {
    const visitor = await Visitor.arrive(t, server.port, from)
    const body = await visitor.get('/small.txt').catch(() => '')
    if (body !== '') return body
  }
}

const remaining = (clients: readonly FrameSocket[]): number => clients.filter(({ closed }) => !closed).length

const SLOW: Readonly<Record<string, { readonly begin: (client: FrameSocket) => void; readonly drip: Buffer }>> = {
  'takes a byte of each response per second': {
    begin: (client) => client.head(1, get),
    drip: frameBytes(8, 0, 1, uint32(1)),
  },
  'sends a byte of each body per second': {
    begin: (client) => client.head(1, post, false),
    drip: frameBytes(0, 0, 1, 'x'),
  },
}

for (const [what, { begin, drip }] of Object.entries(SLOW)) {
  t.test(`others are served beside an address that holds all connections with HTTP/2 and ${what}`, async (t) => {
    const server = await started(t)
    const greedy = await crowd(t, server)
    for (const client of greedy) begin(client)
    const timer = setInterval(() => {
      for (const client of greedy) client.write(drip)
    }, SECOND)
    t.teardown(() => clearInterval(timer))
    const held = remaining(greedy)
    for (let host = 11; host <= 14; host++) t.equal(await served(t, server, `127.0.0.${host}`), 'small\n')
    await until('the greedy have noticed', () => remaining(greedy) < held)
    t.ok(remaining(greedy) > CROWD / 4, 'only those have lost a connection in whose favour it was')
    const lines = server.errors().filter((line) => line.includes('in favour of'))
    t.equal(lines.length, 1, 'one line for all of them')
  })
}
