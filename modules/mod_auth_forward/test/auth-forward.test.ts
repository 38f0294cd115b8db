import { DECLINED, defineModule } from '@gatewright/api'
import { configError, moduleLog, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzHost from '../../mod_authz_host/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import dir from '../../mod_dir/src/index.ts'
import authForward from '../src/index.ts'
import { AuthService, response } from './auth-service.ts'

/** The handler `fields` shows the fields that a backend would get, and the user. */
const fields = defineModule({
  name: 'fields_module',
  source: 'mod_fields.c',
  register({ hooks }) {
    hooks.handler.add((request) => {
      if (request.handler !== 'fields') return DECLINED
      const lines = [...request.headersIn].map(([name, value]) => `${name.toLowerCase()}: ${value}\n`)
      return request.send('text/plain', `user=${request.user}\n${lines.join('')}`)
    })
  },
})
const MODULES = [authBasic, authnCore, authnFile, authzCore, authzHost, authzUser, dir, authForward, fields]

const FORGED = { 'Remote-User': 'admin', remote_groups: 'admins', 'REMOTE.USER': 'admin', 'X-Other': 'kept' }

async function start(t: Test, more = ''): Promise<{ server: TestServer; service: AuthService }> {
  const service = await AuthService.start()
  const server = await site({
    modules: MODULES,
    config: `SetHandler fields
<Location />
AuthType Forward
AuthForwardURL ${service.url}
AuthForwardCopy Remote-User Remote-Groups
AuthForwardTimeout 30
Require forward
</Location>
${more}`,
    files: { 'docs/index.html': 'index', users: 'alice:{SHA}LnNEJV8jKtmfFq9Xj5SGUhsNZSU=\n' },
  })
  t.teardown(async () => {
    await server.close()
    await service.stop()
  })
  return { server, service }
}

t.test('the service gets the fields of the client and a description of its request', async (t) => {
  const { server, service } = await start(t)
  const answer = await server.inject({
    method: 'POST',
    target: '/a%20b?c=d',
    headers: {
      Host: 'site.example:8080',
      Cookie: 'session=1',
      Authorization: 'Bearer x',
      'X-Forwarded-Uri': '/public',
      'X-Forwarded-For': '10.0.0.1',
      'X-Original-URL': 'http://a/public',
      'Transfer-Encoding': 'identity',
      ...FORGED,
    },
    remoteAddress: '192.0.2.1',
  })
  t.equal(answer.status, 400, 'the transfer encoding is refused before')
  t.equal(
    (
      await server.inject({
        method: 'DELETE',
        target: '/a%20b?c=d',
        headers: {
          Host: 'site.example:8080',
          Cookie: 'session=1',
          Authorization: 'Bearer x',
          'X-Forwarded-Uri': '/public',
          'X-Forwarded-For': '10.0.0.1',
          'X-Original-URL': 'http://a/public',
          ...FORGED,
        },
        remoteAddress: '192.0.2.1',
      })
    ).status,
    200,
  )
  const [asked] = service.asked
  t.equal(asked.method, 'GET')
  t.equal(asked.url, '/verify?x=1')
  t.strictSame(
    { ...asked.headers, connection: '' },
    {
      host: 'site.example:8080',
      connection: '',
      cookie: 'session=1',
      authorization: 'Bearer x',
      'x-other': 'kept',
      'x-forwarded-method': 'DELETE',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'site.example:8080',
      'x-forwarded-uri': '/a%20b?c=d',
      'x-forwarded-for': '192.0.2.1',
      'x-original-method': 'DELETE',
      'x-original-url': 'http://site.example:8080/a%20b?c=d',
      'x-real-ip': '192.0.2.1',
    },
  )
})

t.test('fields of the service replace those of the client, and missing ones are missing', async (t) => {
  const { server, service } = await start(t)
  service.answer = () => response(200, { 'Remote-User': 'alice', 'X-More': 'no', 'Set-Cookie': 'session=2' })
  const answer = await server.inject({ target: '/', headers: FORGED })
  t.equal(answer.status, 200)
  t.match(answer.body, /^user=alice\n/)
  t.match(answer.body, /^remote-user: alice$/m)
  t.match(answer.body, /^x-other: kept$/m)
  t.notMatch(answer.body, /admin|x-more/)
  t.equal(answer.header('Set-Cookie'), 'session=2')
  service.answer = () => response(204)
  t.notMatch((await server.inject({ target: '/', headers: FORGED })).body, /admin|alice/)
})

t.test('identity fields of clients are deleted where everybody is admitted, and in sections without the service', async (t) => {
  const { server, service } = await start(
    t,
    '<Location /open>\nRequire all granted\n</Location>\n<Location /none>\nAuthType None\nRequire all granted\n</Location>',
  )
  for (const target of ['/open', '/none']) {
    const answer = await server.inject({ target, headers: FORGED })
    t.equal(answer.status, 200)
    t.notMatch(answer.body, /admin/)
  }
  t.strictSame(service.asked, [])
})

t.test('a folder and its index file are asked about once, and both have the fields of the service', async (t) => {
  const { server, service } = await start(t, 'DirectoryIndex index.html')
  service.answer = () => response(200, { 'Remote-User': 'alice' })
  const answer = await server.inject({ target: '/', headers: FORGED })
  t.match(answer.body, /^remote-user: alice$/m)
  t.notMatch(answer.body, /admin/)
  t.equal(service.asked.length, 1)
})

t.test('401, 403 and redirects are passed on with what the client needs', async (t) => {
  const { server, service } = await start(t, 'ErrorDocument 403 "not you"')
  service.answer = () => response(401, { 'WWW-Authenticate': 'Bearer realm="a"', 'Remote-User': 'alice' })
  const challenged = await server.inject('/')
  t.equal(challenged.status, 401)
  t.equal(challenged.header('WWW-Authenticate'), 'Bearer realm="a"')
  t.equal(challenged.header('Cache-Control'), 'no-store')
  service.answer = () => response(403, {}, 'body of the service')
  t.match(await server.inject('/'), { status: 403, body: 'not you' })
  for (const status of [301, 302, 303, 307, 308]) {
    service.answer = () => response(status, { Location: 'https://login.example/?rd=x', 'Set-Cookie': 'csrf=1' })
    const redirected = await server.inject('/')
    t.equal(redirected.status, status)
    t.equal(redirected.header('Location'), 'https://login.example/?rd=x')
    t.equal(redirected.header('Set-Cookie'), 'csrf=1')
  }
})

t.test('whatever else the service does is 500, and lets nobody and no field through', async (t) => {
  const { server, service } = await start(t)
  const answers: readonly string[] = [
    '',
    'HTTP/1.1 200 OK\r\n',
    'not HTTP\r\n\r\n',
    'HTTP/1.1 200 OK\r\nRemote-User: a\0b\r\n\r\n',
    'HTTP/1.1 200 OK\r\nRemote-User: a\r\nRemote-User: b\r\n\r\n',
    'HTTP/1.1 200 OK\r\nremote-user: a\r\nREMOTE-USER: a\r\n\r\n',
    `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nab',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\n\r\n',
    response(302),
    response(304, { Location: 'https://login.example/' }),
    response(300, { Location: 'https://login.example/' }),
    response(400),
    response(404),
    response(407),
    response(429),
    response(500, { 'Remote-User': 'alice' }),
    response(503),
  ]
  for (const text of answers) {
    service.answer = () => text
    const answer = await server.inject({ target: '/', headers: FORGED })
    t.equal(answer.status, 500, text.slice(0, 80))
    t.equal(answer.header('Location'), undefined)
    t.notMatch(answer.body, /user=/)
  }
})

t.test('a service that hangs, and one that is away, is 500 in time', async (t) => {
  const { server, service } = await start(t, '<Location /short>\nAuthForwardTimeout 0.2\n</Location>')
  service.answer = () => null
  t.equal((await server.inject('/short')).status, 500)
  t.match(moduleLog(server, 'auth_forward'), [/did not answer within 0\.2 s/])
  await service.stop()
  t.equal((await server.inject('/short')).status, 500)
})

t.test('grants are remembered only if that is wanted, for equal questions alone', async (t) => {
  const { server, service } = await start(t, '<Location /kept>\nAuthForwardCache 60\n</Location>')
  const get = async (target: string, headers: Record<string, string> = {}) => (await server.inject({ target, headers })).body
  service.answer = ({ headers }) => response(200, { 'Remote-User': `user of ${headers.cookie}` })
  await get('/a', { Cookie: 'c=1' })
  await get('/a', { Cookie: 'c=1' })
  t.equal(service.asked.length, 2)
  t.match(await get('/kept', { Cookie: 'c=1', ...FORGED }), /^user=user of c=1\n/)
  t.match(await get('/kept', { Cookie: 'c=1', ...FORGED }), /^remote-user: user of c=1$/m)
  t.equal(service.asked.length, 3)
  t.match(await get('/kept', { Cookie: 'c=2' }), /^user=user of c=2\n/)
  await get('/kept?other', { Cookie: 'c=2' })
  t.equal(service.asked.length, 5)
  service.answer = () => response(403)
  await get('/kept?refused')
  await get('/kept?refused')
  t.equal(service.asked.length, 7)
})

t.test('only the login by the service counts for Require forward', async (t) => {
  const { server } = await start(
    t,
    '<Location /basic>\nAuthType Basic\nAuthName a\nAuthUserFile @ROOT@/users\nRequire forward\n</Location>',
  )
  t.equal(
    (
      await server.inject({
        target: '/basic',
        headers: { Authorization: `Basic ${Buffer.from('alice:alice-password').toString('base64')}` },
      })
    ).status,
    403,
  )
})

t.test('a section without a URL is 500, and wrong lines are refused', async (t) => {
  const server = await site({ modules: MODULES, config: '<Location />\nAuthType Forward\nRequire forward\n</Location>' })
  t.teardown(() => server.close())
  t.equal((await server.inject('/')).status, 500)
  const refused = (line: string) => configError({ modules: MODULES, config: `<Location /x>\n${line}\n</Location>` })
  for (const url of ['ftp://a/', '/verify', 'a', 'http://']) t.match(await refused(`AuthForwardURL ${url}`), /not a URL/, url)
  t.match(await refused('AuthForwardURL http://u:p@a/'), /must not contain a user/)
  for (const name of ['Host', 'Content-Length', 'X-Forwarded-For', 'Cookie'])
    t.match(await refused(`AuthForwardCopy ${name}`), /cannot be copied/)
  t.match(await refused('AuthForwardCopy "a b"'), /not the name of a field/)
  t.match(await refused('AuthForwardTimeout 0'), /from 0\.1 to 300/)
  t.match(await refused('AuthForwardCache 61'), /from 0 to 60/)
  t.match(await refused('Require forward x'), /has no arguments/)
})
