import { createSocket } from 'node:dgram'
import { rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzHost from '../../mod_authz_host/src/index.ts'
import remoteip from '../src/index.ts'

const FILES = { 'docs/f.txt': 'f', 'docs/in/f.txt': 'in', 'docs/nowhere.txt': 'there is nothing' }
const RULES = '<Directory "@ROOT@/docs/in">\nRequire ip 203.0.113.0/24\n</Directory>\nErrorDocument 404 /in/f.txt\n'

async function server(t: Test, config: string): Promise<TestServer> {
  const started = await site({ modules: [authzCore, authzHost, remoteip], config: `${config}\n${RULES}`, files: FILES })
  t.teardown(() => started.close())
  return started
}

const FROM = { 'X-Forwarded-For': '203.0.113.7' }

t.test('access is decided for the client that a proxy reports', async (t) => {
  const { inject } = await server(t, 'RemoteIPHeader X-Forwarded-For\nRemoteIPTrustedProxy 127.0.0.1')
  t.match(await inject({ target: '/in/f.txt', headers: FROM }), { status: 200, body: 'in' })
  t.equal((await inject({ target: '/in/f.txt' })).status, 403)
  t.equal((await inject({ target: '/in/f.txt', headers: FROM, remoteAddress: '192.0.2.1' })).status, 403)
})

t.test('the error log contains the client without a port, which is unknown', async (t) => {
  const { inject, errors } = await server(t, 'RemoteIPHeader X-Forwarded-For\nRemoteIPTrustedProxy 127.0.0.1')
  await inject({ target: '/in/f.txt', headers: { 'X-Forwarded-For': '198.51.100.4' } })
  t.match(errors().join('\n'), /\[client 198\.51\.100\.4:0\] AH01630: client denied/)
})

t.test('an error document is served to the same client: the rest of the field is still not trusted', async (t) => {
  const { inject } = await server(t, 'RemoteIPHeader X-Forwarded-For\nRemoteIPTrustedProxy 127.0.0.1')
  const headers = { 'X-Forwarded-For': '203.0.113.7, 198.51.100.4' }
  t.match(await inject({ target: '/missing', headers }), { status: 404, body: /^<!DOCTYPE/ })
  t.match(await inject({ target: '/missing', headers: FROM }), { status: 404, body: 'in' })
})

t.test('a proxy may be given by name', async (t) => {
  const { inject } = await server(t, 'RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy localhost')
  t.equal((await inject({ target: '/in/f.txt', headers: FROM })).status, 200)
  t.equal((await inject({ target: '/in/f.txt', headers: FROM, remoteAddress: '192.0.2.1' })).status, 403)
})

t.test('a proxy whose name has no address stops the start, and the message contains the line', async (t) => {
  const starting = site({
    modules: [remoteip],
    config: 'RemoteIPTrustedProxy no-such-host.invalid',
    names: { servers: ['127.0.0.1:9'], patience: 100 },
  })
  await t.rejects(starting, {
    message: /line 3 of .*httpd\.conf:\nRemoteIP: Error parsing IP no-such-host\.invalid \(Name or service not known error\)/,
  })
})

t.test(
  "with the PROXY protocol a connection begins with its header, in any pieces, and all its requests are the client's",
  async (t) => {
    const started = await server(t, 'RemoteIPProxyProtocol On')
    const port = await started.listen()
    const header = 'PROXY TCP4 203.0.113.7 192.0.2.1 4711 80\r\n'
    const request = (more: string): string => `GET /in/f.txt HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
    const whole = await rawExchange(port, `${header}${request('')}${request('Connection: close\r\n')}`)
    t.equal(whole.match(/HTTP\/1\.1 200 OK/g)?.length, 2)
    const denied = await rawExchange(port, `PROXY TCP4 198.51.100.4 192.0.2.1 4711 80\r\n${request('Connection: close\r\n')}`)
    t.match(denied, /^HTTP\/1\.1 403 /)
    t.match(started.errors().join('\n'), /\[client 198\.51\.100\.4:4711\] AH01630/)
  },
)

t.test('a connection without the header is closed without a response, unless its address is exempt', async (t) => {
  const request = 'GET /f.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const strict = await server(t, 'RemoteIPProxyProtocol On')
  t.equal(await rawExchange(await strict.listen(), request), '')
  t.equal(await rawExchange(await strict.listen(), `PROXY TCP4 x y\r\n${request}`), '')
  t.match(strict.errors().join('\n'), /AH03500: RemoteIPProxyProtocol: invalid client-address 'x'/)
  const lenient = await server(t, 'RemoteIPProxyProtocol On\nRemoteIPProxyProtocolExceptions 127.0.0.0/8')
  t.match(await rawExchange(await lenient.listen(), request), /^HTTP\/1\.1 200 OK/)
})

/** Values written by proxies, and the client that each represents. */
const WRITTEN: readonly (readonly [field: string, client: string])[] = [
  ['203.0.113', '203.0.0.113'],
  ['127.2', '127.0.0.2'],
  ['2130706434', '127.0.0.2'],
  ['0127.0.0.2', '87.0.0.2'],
  ['0x7f.0.0.2', '127.0.0.2'],
  ['1', '0.0.0.1'],
  ['2606:4700:0:0:0:0:0:1', '2606:4700::1'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['fe80::1%lo', 'fe80::1%lo'],
  ['fe80::1%1', 'fe80::1%lo'],
  ['localhost', '127.0.0.1'],
]

t.test('addresses are parsed as by the system: in short forms, with zones, and as names', async (t) => {
  const config = 'RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 192.0.2.1\n<Location />\nRequire all denied\n</Location>'
  const { inject, errors } = await server(t, config)
  for (const [field, client] of WRITTEN) {
    await inject({ target: '/f.txt', headers: { 'X-Forwarded-For': field }, remoteAddress: '192.0.2.1' })
    t.equal(/\[client (\S+):0\] AH01630/.exec(errors().at(-1) ?? '')?.[1], client, field)
  }
})

t.test('as in httpd, with an invalid address the request has the rights of the proxy', async (t) => {
  const config =
    'RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 192.0.2.1\n<Location />\nRequire ip 192.0.2.1\n</Location>'
  const { inject } = await server(t, config)
  const statusOf = async (field: string): Promise<number> =>
    (await inject({ target: '/f.txt', headers: { 'X-Forwarded-For': field }, remoteAddress: '192.0.2.1' })).status
  for (const field of ['fe80::1%nosuch', '::1%lo', '[fe80::1]', '1.2.3.4:80', '"1.2.3.4"', '-', '203.0.113.7,'])
    t.equal(await statusOf(field), 200, field)
  for (const field of ['fe80::1%lo', '203.0.113', '2130706434', 'localhost']) t.equal(await statusOf(field), 403, field)
})

t.test("if the lookup of a name times out, the request is refused, and is not treated as the proxy's", async (t) => {
  const silent = createSocket('udp4')
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
  t.teardown(() => silent.close())
  const started = await site({
    modules: [authzCore, authzHost, remoteip],
    config: 'RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 127.0.0.1\n<Location />\nRequire local\n</Location>',
    files: FILES,
    names: { servers: [`127.0.0.1:${silent.address().port}`], patience: 100 },
  })
  t.teardown(() => started.close())
  t.equal((await started.inject({ target: '/f.txt', headers: { 'X-Forwarded-For': 'slow.example' } })).status, 503)
  t.match(started.errors().join('\n'), 'contains a name that could not be looked up')
})
