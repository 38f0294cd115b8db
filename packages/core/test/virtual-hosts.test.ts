import { rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { partsOf } from '../src/host/loaded-parts.ts'
import { VirtualHostTable } from '../src/model/virtual-hosts.ts'
import { wordsModule } from './support/modules.ts'
import { bare, complaints } from './support/refusal.ts'

/** Virtual hosts that each set a word to their name; the main server sets `main`. */
function hosts(...rows: readonly (readonly [address: string, name: string, ...lines: string[]])[]): string {
  const sections = rows.map(
    ([address, name, ...lines]) =>
      `<VirtualHost ${address}>\nServerName ${name}\n${['Word', name, ...lines.map((line) => `\n${line}`)].join(' ')}\n</VirtualHost>`,
  )
  return ['Word main', ...sections].join('\n')
}

async function serve(t: Test, config: string): Promise<TestServer> {
  const server = await site({ modules: [wordsModule], config, files: { 'docs/f': 'main root', 'other/f': 'other root' } })
  t.teardown(() => server.close())
  return server
}

/** The server that answers: the last word, because virtual hosts append theirs to the main server's. */
async function answers(server: TestServer, request: Parameters<TestServer['inject']>[0]): Promise<string | undefined> {
  const response = await server.inject(request)
  return response.status === 400 ? '400' : response.header('X-Words')?.split(' ').at(-1)
}

const asHost = (name: string) => ({ target: '/f', headers: { Host: name } })

/**
 * Addresses of virtual hosts in file order, a local address and port, and the hosts that are then
 * distinguished by name.
 */
const ADDRESSES: readonly (readonly [readonly string[], string, number, readonly number[]])[] = [
  [['*:80'], '192.0.2.1', 80, [0]],
  [['*:80'], '192.0.2.1', 81, []],
  [['*'], '192.0.2.1', 81, [0]],
  [['_default_:80'], '192.0.2.1', 80, [0]],
  [['_DEFAULT_'], '192.0.2.1', 80, [0]],
  [['*:*'], '192.0.2.1', 8080, [0]],
  [['192.0.2.1'], '192.0.2.1', 8080, [0]],
  [['192.0.2.1'], '192.0.2.2', 8080, []],
  [['*', '*:80', '192.0.2.1', '192.0.2.1:80'], '192.0.2.1', 80, [3]],
  [['*', '*:80', '192.0.2.1', '192.0.2.1:80'], '192.0.2.1', 81, [2]],
  [['*', '*:80', '192.0.2.1', '192.0.2.1:80'], '192.0.2.2', 80, [1]],
  [['*', '*:80', '192.0.2.1', '192.0.2.1:80'], '192.0.2.2', 81, [0]],
  [['192.0.2.1:80', '192.0.2.1', '*:80', '*'], '192.0.2.1', 80, [0]],
  [['*:8200', '127.0.0.1:*'], '127.0.0.1', 8200, [1]],
  [['*:80', '192.0.2.1:80', '*:80'], '192.0.2.2', 80, [0, 2]],
  [['192.0.2.1:80 192.0.2.2:81', '*:81'], '192.0.2.2', 81, [0]],
  [['192.0.2.1:80 192.0.2.2:81', '*:81'], '192.0.2.1', 81, [1]],
  [['[2001:db8::1]:80'], '2001:db8::1', 80, [0]],
  [['[2001:DB8::1]'], '2001:db8::1', 443, [0]],
]

for (const [addresses, address, port, selected] of ADDRESSES) {
  t.test(
    `of hosts at ${addresses.join(', ')} a connection to ${address} port ${port} selects ${selected.join(', ') || 'none'}`,
    async (t) => {
      const server = await serve(t, hosts(...addresses.map((one, index): [string, string] => [one, `host${index}`])))
      const { main, virtualHosts } = partsOf(server.configuration).configuration
      const { first, named } = new VirtualHostTable(main, virtualHosts).forAddress(address, port)
      t.strictSame(
        named.map((one) => virtualHosts.indexOf(one.server)),
        selected,
      )
      t.equal(first, selected.length === 0 ? main : virtualHosts[selected[0]])
    },
  )
}

t.test('an address without port gets the port of the main ServerName before it', async (t) => {
  const before = await serve(t, `ServerName main.example:8080\n${hosts(['192.0.2.1', 'a'], ['*', 'b'])}`)
  t.strictSame(
    before.configuration.virtualHosts.map(({ addresses }) => addresses[0]?.port),
    [8080, 0],
  )
  const after = await serve(t, `${hosts(['192.0.2.1', 'a'])}\nServerName main.example:8080`)
  t.equal(after.configuration.virtualHosts[0].addresses[0]?.port, 0)
})

t.test('a name in the hosts file represents its addresses, and counts as a name of the host', async (t) => {
  const server = await serve(t, hosts(['*:1', 'first'], ['localhost:80', 'named'], ['127.0.0.1:80', 'other']))
  t.equal(
    server.configuration.virtualHosts[1].addresses.some(({ address }) => address === '127.0.0.1'),
    true,
  )
  t.equal(await answers(server, asHost('localhost')), 'named')
  t.equal(await answers(server, asHost('other')), 'other')
})

t.test('a name that does not resolve leaves its host without that address', async (t) => {
  const lines = await complaints('<VirtualHost no.such.example 192.0.2.1:80>\nServerName x\n</VirtualHost>')
  t.strictSame(lines, ['[core:error] AH00547: Could not resolve host name no.such.example -- ignoring!'])
})

const NAMED = hosts(
  ['*', 'one.example', 'ServerAlias alias1 *.wild.example q?.example'],
  ['*', 'two.example', 'ServerAlias exact.wild.example'],
  ['*', 'Three.Example:8080', 'ServerAlias ALIAS3 a b c'],
  ['*', 'two.example', 'Word never'],
)

/** A Host and the server that answers it. */
const NAMES: readonly (readonly [string, string])[] = [
  ['one.example', 'one.example'],
  ['two.example', 'two.example'],
  ['TWO.Example', 'two.example'],
  ['two.example.', 'two.example'],
  ['two.example:8080', 'two.example'],
  ['two.example.:1', 'two.example'],
  ['three.example', 'Three.Example:8080'],
  ['alias3', 'Three.Example:8080'],
  ['b', 'Three.Example:8080'],
  ['alias1', 'one.example'],
  ['a.wild.example', 'one.example'],
  ['foo.bar.wild.example', 'one.example'],
  ['wild.example', 'one.example'],
  ['exact.wild.example', 'one.example'],
  ['qx.example', 'one.example'],
  ['qxx.example', 'one.example'],
  ['unknown.example', 'one.example'],
]

t.test('names are matched in file order, regardless of case, port and final dot', async (t) => {
  const server = await serve(t, NAMED)
  for (const [name, expected] of NAMES) t.equal(await answers(server, asHost(name)), expected, name)
  t.equal(await answers(server, { target: '/f', version: 'HTTP/1.0', headers: { Host: 'two.example' } }), 'two.example')
})

t.test('without a Host the first host of the address answers', async (t) => {
  const server = await serve(t, NAMED)
  const port = await server.listen()
  const text = await rawExchange(port, 'GET /f HTTP/1.0\r\n\r\n')
  t.match(text, /^X-Words: main one\.example\r$/m)
})

t.test('hosts of a less specific address are never consulted', async (t) => {
  const server = await serve(t, hosts(['*', 'c.example'], ['127.0.0.1:80', 'a.example'], ['*:80', 'b.example']))
  t.equal(await answers(server, asHost('c.example')), 'a.example')
  t.equal(await answers(server, { ...asHost('c.example'), localPort: 81 }), 'c.example')
})

t.test('the main server answers only where no host has the address', async (t) => {
  const server = await serve(t, `ServerName main.example\n${hosts(['*:81', 'a.example'])}`)
  t.equal(await answers(server, asHost('a.example')), 'main')
  t.equal(await answers(server, { ...asHost('main.example'), localPort: 81 }), 'a.example')
})

t.test('the host and port of an absolute target win over Host', async (t) => {
  const server = await serve(t, NAMED)
  const headers = { Host: 'one.example' }
  for (const [target, expected] of [
    ['http://two.example/f', 'two.example'],
    ['HTTP://TWO.EXAMPLE:99/f?x', 'two.example'],
    ['http://two.example', 'two.example'],
    ['https://two.example/f', 'one.example'],
    ['http://unknown.example/f', 'one.example'],
    ['ftp://two.example/f', '400'],
    ['http://user@two.example/f', '400'],
    ['http:///f', 'one.example'],
  ]) {
    t.equal(await answers(server, { target, headers }), expected, target)
  }
  const unknown = { target: 'http://unknown.example/f', headers: { Host: 'two.example' } }
  t.equal(await answers(server, unknown), 'one.example', 'also where it is nobody')
})

t.test(
  'an empty host in the target is a name: aliases may match it, and ServerPath and ServerName do not stand in for it',
  async (t) => {
    const empty = 'http:///p/f'
    const alias = await serve(t, hosts(['*', 'first'], ['*', 'second', 'ServerAlias *']))
    t.equal(await answers(alias, empty), 'second')
    const blank = await serve(t, hosts(['*', 'first'], ['*', 'second', 'ServerAlias ""']))
    t.equal(await answers(blank, empty), 'second')
    const prefix = await serve(t, hosts(['*', 'first'], ['*', 'second', 'ServerPath /p']))
    t.equal(await answers(prefix, empty), 'first')
    const strict = await serve(t, `StrictHostCheck On\n${hosts(['*', 'first'])}`)
    t.equal(await answers(strict, empty), '400')
    t.match(strict.errors().map(bare).at(-1), /AH10157: Requested hostname '' did not match/)
  },
)

t.test('ServerPath selects a host for clients that name none', async (t) => {
  const server = await serve(t, hosts(['*', 'first'], ['*', 'prefix', 'ServerPath /p'], ['*', 'slash', 'ServerPath /q/']))
  const port = await server.listen()
  for (const [path, expected] of [
    ['/p', 'prefix'],
    ['/p/x', 'prefix'],
    ['/px', 'first'],
    ['/q/x', 'slash'],
    ['/q', 'first'],
    ['/', 'first'],
  ]) {
    const text = await rawExchange(port, `GET ${path} HTTP/1.0\r\n\r\n`)
    t.equal(/^X-Words: main (\S+)\r$/m.exec(text)?.[1], expected, path)
  }
  t.equal(await answers(server, { target: '/p', headers: { Host: 'slash' } }), 'slash', 'a name counts more')
  t.equal(await answers(server, { target: '/p', headers: { Host: 'unknown' } }), 'first')
})

t.test('ServerPath is not a folder of its server, however the server was selected', async (t) => {
  const config = hosts(['*', 'one'], ['*', 'prefix', 'ServerPath /p'], ['*', 'slash', 'ServerPath /q/'])
  const server = await serve(t, config)
  for (const [host, path, status] of [
    ['prefix', '/p/f', 200],
    ['prefix', '/f', 200],
    ['prefix', '/pf', 404],
    ['prefix', '/p/p/f', 404],
    ['slash', '/q/f', 200],
    ['slash', '/q', 404],
    ['one', '/p/f', 404],
  ] as const) {
    t.equal((await server.inject({ target: path, headers: { Host: host } })).status, status, `${host} ${path}`)
  }
})

t.test('with StrictHostCheck a name without a server is rejected', async (t) => {
  const config = `StrictHostCheck On\n${hosts(['*', 'one.example', 'ServerAlias *.one.example'], ['*', 'two.example'])}`
  const server = await serve(t, config)
  t.equal(await answers(server, asHost('one.example')), 'one.example')
  t.equal(await answers(server, asHost('x.one.example')), 'one.example')
  t.equal(await answers(server, asHost('two.example:99')), 'two.example')
  t.equal(await answers(server, asHost('unknown.example')), '400')
  t.strictSame(server.errors().map(bare), [
    `[core:warn] AH10157: Requested hostname 'unknown.example' did not match any ServerName/ServerAlias in the matching virtual host (default vhost for current connection is ${server.serverRoot}/conf/httpd.conf:5)`,
  ])
  t.match(await rawExchange(await server.listen(), 'GET /f HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /, 'no name is no wrong name')
})

t.test('with StrictHostCheck the main server requires its ServerName if it is the only server', async (t) => {
  const server = await serve(t, 'ServerName main.example\nStrictHostCheck On\nWord main')
  t.equal(await answers(server, asHost('main.example')), 'main')
  t.equal(await answers(server, asHost('MAIN.example.:99')), 'main')
  t.equal(await answers(server, asHost('unknown.example')), '400')
  t.match(server.errors().map(bare), [
    /^\[core:warn\] AH10156: Requested hostname 'unknown\.example' did not match any ServerName\/ServerAlias in the global server configuration ?$/,
  ])
})

t.test('a virtual host inherits unset values from the main server, except for AllowEncodedSlashes', async (t) => {
  const server = await serve(
    t,
    [
      'ServerAdmin main@example',
      'Timeout 7',
      'KeepAliveTimeout 3',
      'AllowEncodedSlashes On',
      hosts(
        ['*', 'same'],
        ['*', 'own', 'ServerAdmin own@example', 'Timeout 9', 'DocumentRoot @ROOT@/other', 'AllowEncodedSlashes Off'],
      ),
      'TraceEnable Off',
    ].join('\n'),
  )
  const [same, own] = server.configuration.virtualHosts
  t.match(same, {
    serverAdmin: 'main@example',
    timeout: 7000,
    keepAliveTimeout: 3000,
    core: { allowEncodedSlashes: undefined, traceEnable: 'off' },
  })
  t.match(own, {
    serverAdmin: 'own@example',
    timeout: 9000,
    keepAliveTimeout: 3000,
    core: { allowEncodedSlashes: 'off', traceEnable: 'off' },
  })
  t.equal((await server.inject(asHost('same'))).body, 'main root')
  t.equal((await server.inject(asHost('own'))).body, 'other root')
})

t.test('hosts on different addresses of a machine are distinguished by the local address of the connection', async (t) => {
  const server = await serve(t, hosts(['127.0.0.2', 'second'], ['*', 'rest']))
  const port = await server.listen('0.0.0.0')
  const ask = async (host: string): Promise<string | undefined> =>
    /^X-Words: main (\S+)\r$/m.exec(await rawExchange(port, 'GET /f HTTP/1.0\r\n\r\n', { host }))?.[1]
  t.equal(await ask('127.0.0.2'), 'second')
  t.equal(await ask('127.0.0.1'), 'rest')
})

t.test('the host of an absolute target counts only if its scheme is that of the first host of the address', async (t) => {
  const names = ['first.test', 'second.test'] as const
  for (const [serverName, scheme, other] of [
    ['first.test', 'http', 'https'],
    ['https://first.test', 'https', 'http'],
  ] as const) {
    const server = await serve(t, hosts(['*', serverName], ['*', names[1]]))
    const headers = { Host: 'second.test' }
    const first = serverName
    t.equal(await answers(server, { target: `${scheme}://first.test/f`, headers }), first, `${scheme}, ${serverName}`)
    t.equal(await answers(server, { target: `${other}://first.test/f`, headers }), 'second.test', `${other}, ${serverName}`)
  }
})
