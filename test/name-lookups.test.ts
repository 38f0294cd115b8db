import { join } from 'node:path'
import { NameServer } from '@gatewright/testing'
import t from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const VARIABLE = 'GATEWRIGHT_NAME_SERVERS'
const SITE = [
  ...['authz_core', 'authz_host'].map((name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`),
  'CustomLog logs/access_log "%a %h %>s %U"',
  '<Directory @ROOT@/htdocs>',
  'Require all granted',
  '</Directory>',
  '<Location /named>',
  'Require host good.example',
  '</Location>',
  '<Location /forward>',
  'Require forward-dns good.example',
  '</Location>',
]

t.test('processes of a server use the name server in the variable, and report that', async (t) => {
  const dns = await NameServer.start(t)
  dns.pair('127.0.0.7', 'Web.Good.Example').on('A good.example', { records: [{ type: 'A', value: '127.0.0.9' }] })
  const server = await StagedServer.make(t)
  server.configure(...SITE)
  for (const name of ['named', 'forward', 'open']) server.file(`htdocs/${name}`, 'ok\n')
  await server.startWith({ [VARIABLE]: dns.address })
  const silence = Promise.withResolvers<void>()
  dns.on('PTR 127.0.0.8', { records: [{ type: 'PTR', value: 'slow.good.example' }], after: silence.promise })
  dns.on('A slow.good.example', { records: [{ type: 'A', value: '127.0.0.8' }] })

  const slow = server.get('/named', { from: '127.0.0.8' })
  await dns.asked('PTR 127.0.0.8')
  const rows = [
    ['127.0.0.7', '/named', 200],
    ['127.0.0.9', '/named', 403],
    ['127.0.0.9', '/forward', 200],
    ['127.0.0.7', '/forward', 403],
    ['127.0.0.8', '/open', 200],
  ] as const
  for (const [from, path, status] of rows) t.equal((await server.get(path, { from })).status, status, `${from} ${path}`)
  silence.resolve()
  t.equal((await slow).status, 200)

  const lines = (): string[] => server.read('logs/access_log').split('\n').slice(0, -1)
  await until('all is logged', () => lines().length === 6)
  t.same(lines(), [
    '127.0.0.7 web.good.example 200 /named',
    '127.0.0.9 127.0.0.9 403 /named',
    '127.0.0.9 127.0.0.9 200 /forward',
    '127.0.0.7 127.0.0.7 403 /forward',
    '127.0.0.8 127.0.0.8 200 /open',
    '127.0.0.8 slow.good.example 200 /named',
  ])
  const notice = `clients' names are looked up with ${dns.address}, not with the system's name servers`
  const said = (await server.stop())?.stderr ?? []
  t.equal(said.filter((line) => line.endsWith(notice)).length, 1, said.join('\n'))
})

t.test('a name server of another machine is refused at the start', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(...SITE)
  const { status, stderr } = await server.runWith({ [VARIABLE]: '192.0.2.53' }, '-t')
  t.equal(status, 1)
  t.match(stderr.join('\n'), /GATEWRIGHT_NAME_SERVERS: '192\.0\.2\.53' is not a name server on the loopback network\nhint: /)
})
