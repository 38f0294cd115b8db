import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SiteOptions, serverRoot, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { parseVirtualHostAddress } from '../src/model/virtual-host-address.ts'
import { complaints } from './support/refusal.ts'

/** Names of addresses in the hosts file of the tests. */
const HOSTS = '127.0.0.1 Localhost other\n192.0.2.7 seven.test\n2001:db8::7 six.test\n'

async function serve(t: Test, config: string): Promise<Awaited<ReturnType<typeof site>>> {
  const { root, remove } = serverRoot()
  const hostsFile = join(root, 'hosts')
  writeFileSync(hostsFile, HOSTS)
  const names: SiteOptions['names'] = { servers: ['127.0.0.1:9'], hostsFile, patience: 50 }
  const server = await site({ config: `ServerSignature On\n${config}`, names })
  t.teardown(async () => {
    await server.close()
    remove()
  })
  return server
}

type Asked = Parameters<Awaited<ReturnType<typeof site>>['inject']>[0]

/** The server's own name and port, as shown in an error page. */
async function calledItself(server: Awaited<ReturnType<typeof site>>, request: Asked): Promise<string | undefined> {
  const { body } = await server.inject(request)
  return / Server at (\S+ Port \d+)</.exec(body)?.slice(1).join()
}

const TO_8080: Asked = { target: '/none', headers: { Host: 'asked.test' }, localAddress: '192.0.2.7', localPort: 8080 }

/**
 * A main ServerName, a `<VirtualHost>` line without ServerName, and the host's name with UseCanonicalName On.
 */
const NAMELESS: readonly (readonly [main: string, addresses: string, called: string])[] = [
  ['main.test', '*:8080', 'main.test Port 8080'],
  ['main.test', '_default_:8080', 'main.test Port 8080'],
  ['main.test', '*', 'main.test Port 80'],
  ['main.test', '*:*', 'main.test Port 80'],
  ['main.test', '192.0.2.7:8080', 'seven.test Port 8080'],
  ['main.test', '192.0.2.7', 'seven.test Port 80'],
  ['main.test', '127.0.0.1:8081 192.0.2.7:8080', 'localhost Port 8081'],
  ['main.test', '127.0.0.1:8081 *:8080', 'main.test Port 8081'],
  ['main.test', '192.0.2.9:8080 192.0.2.7:8080', 'bogus_host_without_reverse_dns Port 8080'],
  ['main.test:9999', '*', 'main.test Port 9999'],
  ['main.test:9999', '*:*', 'main.test Port 9999'],
  ['main.test:9999', '*:8080', 'main.test Port 8080'],
  ['https://main.test', '*:8080', 'main.test Port 8080'],
  ['https://main.test', '*', 'main.test Port 80'],
]

for (const [main, addresses, called] of NAMELESS) {
  t.test(`a host at ${addresses} without ServerName, below ServerName ${main}, is ${called}`, async (t) => {
    const server = await serve(t, `ServerName ${main}\nUseCanonicalName On\n<VirtualHost ${addresses}>\n</VirtualHost>`)
    t.equal(await calledItself(server, TO_8080), called)
  })
}

t.test('a main ServerName after the host does not determine its port', async (t) => {
  const server = await serve(t, 'UseCanonicalName On\n<VirtualHost *>\n</VirtualHost>\nServerName main.test:9999')
  t.equal(await calledItself(server, TO_8080), 'main.test Port 80')
})

t.test('a host with a ServerName has no port but that of the ServerName', async (t) => {
  const server = await serve(t, 'UseCanonicalName On\n<VirtualHost *:8080>\nServerName own.test\n</VirtualHost>')
  t.equal(await calledItself(server, TO_8080), 'own.test Port 80')
})

t.test('with UseCanonicalName DNS the name is that of the local address, the port that of the Host field', async (t) => {
  const server = await serve(t, 'UseCanonicalName DNS\n<VirtualHost *:8080>\nServerName own.test\n</VirtualHost>')
  t.equal(await calledItself(server, { ...TO_8080, headers: { Host: 'asked.test:99' } }), 'seven.test Port 99')
  t.equal(await calledItself(server, { ...TO_8080, localAddress: '2001:db8::7' }), 'six.test Port 80')
})

t.test('with UseCanonicalName DNS an address without name leaves the ServerName', async (t) => {
  const server = await serve(t, 'UseCanonicalName DNS\n<VirtualHost *:8080>\nServerName own.test\n</VirtualHost>')
  t.equal(await calledItself(server, { ...TO_8080, localAddress: '192.0.2.9' }), 'own.test Port 80')
})

t.test('UseCanonicalName DNS of a section counts for its requests alone', async (t) => {
  const config = '<VirtualHost *:8080>\nServerName own.test\n<Location /dns>\nUseCanonicalName DNS\n</Location>\n</VirtualHost>'
  const server = await serve(t, config)
  t.equal(await calledItself(server, { ...TO_8080, target: '/dns' }), 'seven.test Port 80')
  t.equal(await calledItself(server, TO_8080), 'asked.test Port 80')
})

t.test('names of <VirtualHost> lines count after the ServerNames and aliases of all hosts', async (t) => {
  const config = `UseCanonicalName On
<VirtualHost 127.0.0.1:80>
ServerName first.test
</VirtualHost>
<VirtualHost localhost:80>
ServerName second.test
</VirtualHost>
<VirtualHost 127.1:80>
ServerName third.test
ServerAlias localhost
</VirtualHost>`
  const server = await serve(t, config)
  const asked = (host: string): Asked => ({ target: '/none', headers: { Host: host } })
  t.equal(await calledItself(server, asked('localhost')), 'third.test Port 80')
  t.equal(await calledItself(server, asked('127.0.0.1')), 'first.test Port 80')
  t.equal(await calledItself(server, asked('nobody.test')), 'first.test Port 80')
})

/** The argument of `<VirtualHost>`, and the resulting addresses with a main ServerName with port 9999. */
const WORDS: readonly (readonly [word: string, result: string])[] = [
  ['*', '* 0'],
  ['_DEFAULT_', '* 9999'],
  ['_default_:*', '* 0'],
  ['127.1:80', '127.0.0.1 80'],
  ['0x7f.1', '127.0.0.1 9999'],
  ['256:80', '0.0.1.0 80'],
  ['127.0.0.1:80:*', '127.0.0.1 80'],
  ['[::1]', '::1 9999'],
  ['[2001:DB8:0::1]:*', '2001:db8::1 0'],
  ['::1:80', '::1 80'],
  ['[::ffff:127.0.0.1]:80', '127.0.0.1 80'],
  ['[fe80::1%lo]:80', 'fe80::1%lo 80'],
  ['80', 'Missing address for VirtualHost'],
  ['0', 'The address or port is invalid'],
  [':80', 'The address or port is invalid'],
  ['*:0', 'The address or port is invalid'],
  ['127.0.0.1:65536', 'The address or port is invalid'],
  ['[::1]x', 'The address or port is invalid'],
  ['[zz]', 'The address or port is invalid'],
  ['[fe80::1%]:80', 'The address or port is invalid'],
  ['::1', 'AH00547 Could not resolve host name : -- ignoring!'],
  ['*:', 'AH00547 Could not resolve host name *: -- ignoring!'],
  ['08.1.1.1:80', 'AH00547 Could not resolve host name 08.1.1.1 -- ignoring!'],
  ['[fe80::1%nosuch]:80', 'AH10103 Could not set scope ID nosuch for [fe80::1]:80 -- ignoring!'],
  ['[::1%lo]:80', 'AH10103 Could not set scope ID lo for [::1]:80 -- ignoring!'],
]

for (const [word, expected] of WORDS) {
  t.test(`<VirtualHost ${word}> comes to: ${expected}`, async (t) => {
    const result = parseVirtualHostAddress(word, 9999)
    if ('error' in result) t.equal(result.error, expected)
    else if ('ignored' in result) t.equal(`${result.ignored.code} ${result.ignored.text}`, expected)
    else t.equal(result.addresses.map(({ address, port }) => `${address} ${port}`).join(), expected)
  })
}

/** A rejected ServerName and the reason; '' for accepted ones. */
const SERVER_NAMES: readonly (readonly [name: string, message: string])[] = [
  ['x.test:80:90', ''],
  ['https://x.test/path', ''],
  ['https://x.test:99/', ''],
  ['://x.test', ''],
  ['"a b"', ''],
  ['a[b', ''],
  ['*.test', 'Invalid ServerName "*.test" use ServerAlias to set multiple server names.'],
  ['a?b', 'Invalid ServerName "a?b" use ServerAlias to set multiple server names.'],
  ['[::1]:88', 'Invalid ServerName "[::1]:88" use ServerAlias to set multiple server names.'],
  ['::1', 'The port number "::1" is outside the appropriate range (i.e., 1..65535).'],
  ['x.test:', 'The port number "x.test:" is outside the appropriate range (i.e., 1..65535).'],
  ['x.test:-1', 'The port number "x.test:-1" is outside the appropriate range (i.e., 1..65535).'],
]

for (const [name, message] of SERVER_NAMES) {
  t.test(`ServerName ${name} is ${message === '' ? 'taken' : 'refused'}`, async (t) => {
    const lines = await complaints(`ServerName ${name}`).catch((error: unknown) => [String(error)])
    if (message === '') t.strictSame(lines, [])
    else t.match(lines.join('\n'), message)
  })
}
