import t from 'tap'
import { childrenOf } from './fixtures/processes.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'
import { Visitor } from './fixtures/visitor.ts'

const DESCRIPTORS = 160
const CLIENTS = 300
const LARGE = 300_000

t.test('a server that is out of descriptors serves the clients it has, and all of them when there is room again', async (t) => {
  const server = await StagedServer.make(t)
  server.file('htdocs/small.txt', 'small\n')
  server.file('htdocs/other.txt', 'other\n')
  server.file('htdocs/large.txt', 'x'.repeat(LARGE))
  server.configure(
    `LoadModule authz_core_module ${MODULES}/mod_authz_core.mjs`,
    '<Directory "@ROOT@/htdocs">',
    'Require all granted',
    '</Directory>',
  )
  const supervisor = await server.startWithin(DESCRIPTORS)
  const workers = childrenOf(supervisor)
  const early = await Visitor.arrive(t, server.port)
  t.equal(await early.get('/small.txt'), 'small\n')

  const crowd = await Promise.all(Array.from({ length: CLIENTS }, () => Visitor.arrive(t, server.port)))
  await until('connections were closed', () => crowd.filter(({ gone }) => gone).length > CLIENTS / 2)
  t.ok(
    crowd.some(({ gone }) => !gone),
    'some have got in',
  )
  t.equal(await early.get('/other.txt'), 'other\n')
  t.equal((await early.get('/large.txt')).length, LARGE)
  t.equal(server.errors().filter((line) => line.includes('connections are open')).length, 1)

  for (const visitor of crowd) visitor.leave()
  await until('there is room again', () => crowd.every(({ gone }) => gone))
  const late = await Promise.all(Array.from({ length: 20 }, () => Visitor.arrive(t, server.port)))
  for (const visitor of late) t.equal(await visitor.get('/other.txt'), 'other\n')
  t.strictSame(childrenOf(supervisor), workers, 'no worker had to be replaced')
})
