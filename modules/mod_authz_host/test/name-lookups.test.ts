import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { NameServer, type SiteOptions, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import accessCompat from '../../mod_access_compat/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import logConfig from '../../mod_log_config/src/index.ts'
import setenvif from '../../mod_setenvif/src/index.ts'
import authzHost from '../src/index.ts'

const CONFIG = `
LogFormat "%a %h %>s %U" names
CustomLog logs/access_log names
<Directory "@ROOT@/docs">
  Require all granted
</Directory>
<Location /any>
  Require host example
</Location>
<Location /fwd>
  Require forward-dns nosuch.example fwdfail.example good.example
</Location>
<Location /compat>
  Order allow,deny
  Allow from example
</Location>
<Location /on>
  HostnameLookups On
</Location>
<Location /double>
  HostnameLookups Double
</Location>
<LocationMatch ^/(on|double|open)>
  Header set X-Host "expr=%{REMOTE_HOST}"
  SetEnvIf Remote_Host (.*) HOST=$1
  Header set X-Set %{HOST}e
  <If "%{REMOTE_HOST} =~ /example$/">
    Header set X-If named
  </If>
</LocationMatch>
`

const FILES = Object.fromEntries(['any', 'fwd', 'compat', 'on', 'double', 'open'].map((name) => [`docs/${name}`, 'ok\n']))

type Server = Awaited<ReturnType<typeof site>>

interface Place {
  readonly dns: NameServer
  readonly server: Server
  ask(from: string, path: string): ReturnType<Server['inject']>
  /** `127.0.0.1 web.example 200 /any` */
  accessLog(): string[]
  log(): string[]
}

async function place(t: Test, options: { readonly config?: string; readonly names?: SiteOptions['names'] } = {}): Promise<Place> {
  const dns = await NameServer.start(t)
  const server = await site({
    modules: [authzCore, authzHost, accessCompat, headers, setenvif, logConfig],
    config: options.config ?? CONFIG,
    files: FILES,
    names: { servers: [dns.address], hostsFile: '/nonexistent/hosts', patience: 20_000, ...options.names },
  })
  t.teardown(() => server.close())
  return {
    dns,
    server,
    ask: (from, path) => server.inject({ target: path, remoteAddress: from }),
    accessLog: () => {
      server.worker.flushLogs()
      return readFileSync(join(server.serverRoot, 'logs/access_log'), 'latin1').split('\n').slice(0, -1)
    },
    log: () => server.errors().map((line) => line.replace(/^.*?\[client [^\]]*\] /, '')),
  }
}

const ptr = (value: string) => ({ records: [{ type: 'PTR', value }] }) as const
const a = (...values: string[]) => ({ records: values.map((value) => ({ type: 'A', value }) as const) })

// Recorded from httpd 2.4.71 with the same name server for the C library's resolver.
t.test('host names grant access and are logged as in httpd', async (t) => {
  const { dns, ask, accessLog } = await place(t)
  dns.pair('10.0.0.10', 'Good.Example').pair('10.0.0.20', 'under_score.good.example').pair('10.0.0.21', '-dash.good.example')
  dns.on('A good.example', a('10.0.0.10', '10.0.0.13', '10.0.0.18'))
  dns.on('PTR 10.0.0.11', ptr('liar.example')).on('A liar.example', a('10.9.9.9'))
  dns.on('PTR 10.0.0.12', { code: 'failure' })
  dns.on('PTR 10.0.0.13', { records: [...ptr('other.example').records, ...ptr('good.example').records] })
  dns.on('A other.example', a('10.9.9.9'))
  dns.on('PTR 10.0.0.14', ptr('o d\x01d"\xff.example'))
  dns.on('PTR 10.0.0.18', { records: [...ptr('good.example').records, ...ptr('other.example').records] })
  dns.on('PTR 10.0.0.19', ptr('mapped.example'))
  dns.on('AAAA mapped.example', { records: [{ type: 'AAAA', value: '::ffff:10.0.0.19' }] })
  dns.on('PTR 10.0.0.22', ptr('fwdfail.example')).on('A fwdfail.example', { code: 'failure' })
  dns.on('PTR 10.0.0.24', { records: [] })
  const rows = [
    ['10.0.0.10', 'good.example', 200],
    ['10.0.0.11', 'liar.example', 403],
    ['10.0.0.12', '10.0.0.12', 403],
    ['10.0.0.13', 'other.example', 403],
    ['10.0.0.14', '10.0.0.14', 403],
    ['10.0.0.18', 'good.example', 200],
    ['10.0.0.19', 'mapped.example', 200],
    ['10.0.0.20', 'under_score.good.example', 200],
    ['10.0.0.21', '10.0.0.21', 403],
    ['10.0.0.22', 'fwdfail.example', 403],
    ['10.0.0.24', '10.0.0.24', 403],
    ['10.0.0.99', '10.0.0.99', 403],
  ] as const
  const expected: string[] = []
  for (const [from, shown, status] of rows) {
    for (const path of ['/any', '/compat']) {
      t.equal((await ask(from, path)).status, status, `${from} ${path}`)
      expected.push(`${from} ${shown} ${status} ${path}`)
    }
  }
  t.same(accessLog(), expected)
})

t.test('a client without a verified name is refused with the reason', async (t) => {
  const { ask, log } = await place(t)
  await ask('10.0.0.99', '/any')
  t.match(log(), [
    "AH01753: access check of 'example' to /any failed, reason: unable to get the remote host name",
    /^AH01630: client denied by server configuration: /,
  ])
  await ask('10.0.0.99', '/compat')
  t.match(log().slice(2), [/^AH01797: client denied by server configuration: /], 'Allow and Deny give no reason')
})

t.test('forward-dns resolves each name and compares all its addresses', async (t) => {
  const { dns, ask, log } = await place(t, { config: `LogLevel authz_host:debug\n${CONFIG}` })
  dns.on('A good.example', a('10.0.0.1', '10.0.0.2')).on('A fwdfail.example', { code: 'failure' })
  const own = (): string[] => log().filter((line) => /AH0335\d/.test(line))
  t.equal((await ask('10.0.0.2', '/fwd')).status, 200)
  t.same(own(), [
    'AH03356: No sockaddr info for "nosuch.example"',
    'AH03356: No sockaddr info for "fwdfail.example"',
    "AH03355: access check for 10.0.0.2 as 'good.example': no",
    "AH03355: access check for 10.0.0.2 as 'good.example': yes",
  ])
  t.equal((await ask('10.0.0.3', '/fwd')).status, 403)
  t.notOk(
    dns.questions.some((question) => question.startsWith('PTR')),
    'no reverse entry is needed',
  )
})

t.test('with HostnameLookups the name is available in logs, expressions and variables', async (t) => {
  const { dns, ask, accessLog } = await place(t)
  dns.pair('10.0.0.10', 'good.example').on('PTR 10.0.0.11', ptr('liar.example')).on('A liar.example', a('10.9.9.9'))
  const rows = [
    ['10.0.0.10', '/on', 'good.example'],
    ['10.0.0.10', '/double', 'good.example'],
    ['10.0.0.10', '/open', '10.0.0.10'],
    ['10.0.0.11', '/on', 'liar.example'],
    ['10.0.0.11', '/double', '10.0.0.11'],
    ['10.0.0.99', '/on', '10.0.0.99'],
  ] as const
  for (const [from, path, name] of rows) {
    const answer = await ask(from, path)
    t.equal(answer.header('X-Host'), name, `${from} ${path}`)
    t.equal(answer.header('X-Set'), name, `${from} ${path}`)
    t.equal(answer.header('X-If'), name.endsWith('example') ? 'named' : undefined, `${from} ${path}`)
  }
  t.same(
    accessLog(),
    rows.map(([from, path, name]) => `${from} ${name} 200 ${path}`),
  )
})

t.test('the result of a lookup is kept for the connection', async (t) => {
  const { dns, server, accessLog } = await place(t)
  dns.pair('127.0.0.1', 'first.example', 0)
  const port = await server.listen()
  const client = await Client.connect(t, port)
  t.equal(await client.get('/open'), 200)
  t.equal(await client.get('/any'), 200)
  dns.pair('127.0.0.1', 'second.other', 0)
  t.equal(await client.get('/any'), 200)
  t.equal(await client.get('/open'), 200)
  t.equal(dns.questions.length, 2)
  t.same(accessLog(), [
    '127.0.0.1 127.0.0.1 200 /open',
    '127.0.0.1 first.example 200 /any',
    '127.0.0.1 first.example 200 /any',
    '127.0.0.1 first.example 200 /open',
  ])
})

t.test('requests that need no name are answered while a name server does not respond, and it is queried once', async (t) => {
  const { dns, server } = await place(t)
  const silence = Promise.withResolvers<void>()
  dns.on('PTR 127.0.0.1', { ...ptr('good.example'), after: silence.promise }).on('A good.example', a('127.0.0.1'))
  const port = await server.listen()
  const order: string[] = []
  const waiting = Array.from({ length: 20 }, async () => {
    const client = await Client.connect(t, port)
    const status = await client.get('/any')
    order.push('named')
    return status
  })
  await dns.asked('PTR 127.0.0.1')
  const other = await Client.connect(t, port)
  for (let count = 0; count < 20; count++) {
    t.equal(await other.get('/open'), 200)
    order.push('open')
  }
  silence.resolve()
  t.same(new Set(await Promise.all(waiting)), new Set([200]))
  t.same(order, [...Array.from({ length: 20 }, () => 'open'), ...Array.from({ length: 20 }, () => 'named')])
  t.same(dns.questions, ['PTR 1.0.0.127.in-addr.arpa', 'A good.example'])
})

t.test('an unavailable name server leads to 403, and is not queried again immediately', async (t) => {
  const { dns, ask } = await place(t, { names: { patience: 50 } })
  dns.on('PTR 10.0.0.1', { flaw: 'no-answer' })
  t.equal((await ask('10.0.0.1', '/any')).status, 403)
  const asked = dns.questions.length
  t.equal((await ask('10.0.0.1', '/any')).status, 403)
  t.equal(dns.questions.length, asked)
})

t.test('a client that disconnects while its name is looked up causes no second query', async (t) => {
  const { dns, server } = await place(t)
  const silence = Promise.withResolvers<void>()
  dns.on('PTR 127.0.0.1', { ...ptr('good.example'), after: silence.promise })
  const port = await server.listen()
  const client = await Client.connect(t, port)
  client.send('/any')
  await dns.asked('PTR 127.0.0.1')
  client.leave()
  while (server.worker.connections > 0) await new Promise(setImmediate)
  silence.resolve()
  while (!server.errors().some((line) => line.includes('AH01753'))) await new Promise((resolve) => setTimeout(resolve, 5))
  t.same(dns.questions, ['PTR 1.0.0.127.in-addr.arpa'])
})

/** A client with a persistent connection. */
class Client {
  readonly #socket: ReturnType<typeof connect>

  private constructor(socket: ReturnType<typeof connect>) {
    this.#socket = socket
  }

  static connect(t: Test, port: number): Promise<Client> {
    const socket = connect({ host: '127.0.0.1', port })
    t.teardown(() => socket.destroy())
    return new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.on('connect', () => resolve(new Client(socket)))
    })
  }

  send(path: string): void {
    this.#socket.write(`HEAD ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  }

  /** The status of a request for a path. */
  get(path: string): Promise<number> {
    this.send(path)
    return new Promise((resolve) => this.#socket.once('data', (chunk) => resolve(Number(chunk.toString('latin1').split(' ')[1]))))
  }

  leave(): void {
    this.#socket.resetAndDestroy()
  }
}
