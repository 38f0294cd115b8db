import { basicAuth, configError, moduleLog, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import accessCompat from '../../mod_access_compat/src/index.ts'
import alias from '../../mod_alias/src/index.ts'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzGroupfile from '../../mod_authz_groupfile/src/index.ts'
import authzHost from '../../mod_authz_host/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import remoteip from '../../mod_remoteip/src/index.ts'
import rewrite from '../../mod_rewrite/src/index.ts'
import setenvif from '../../mod_setenvif/src/index.ts'
import authRequest from '../src/index.ts'

const MODULES = [
  accessCompat,
  alias,
  authBasic,
  authnCore,
  authnFile,
  authzCore,
  authzGroupfile,
  authzHost,
  authzUser,
  remoteip,
  rewrite,
  setenvif,
  authRequest,
]
/** alice-password. */
const USERS = 'alice:{SHA}LnNEJV8jKtmfFq9Xj5SGUhsNZSU=\n'
const LOGIN = 'AuthType Basic\nAuthName app\nAuthBasicProvider file\nAuthUserFile @ROOT@/users\nAuthGroupFile @ROOT@/groups'

const SITE = `
<Location /decide>
  SetHandler auth-request
  AuthRequestFields nginx
  AuthRequestTrust 127.0.0.1
  AuthRequestSet X-User %{REMOTE_USER}
  AuthRequestGroups X-Groups group admins editors
  AuthRequestReason X-Reason "%{REMOTE_ADDR} -ipmatch '10.0.0.0/8'"
</Location>
<Location /office>
  Require ip 10.1.0.0/16
</Location>
<Location /members>
  ${LOGIN}
  Require group admins
</Location>
<Location /teapot>
  Require valid-user
</Location>
Redirect /old https://elsewhere.example/new
<Directory @ROOT@/docs>
  AllowOverride All
</Directory>`

const FILES = {
  users: USERS,
  groups: 'admins: alice\neditors: bob\n',
  'docs/page.html': 'CONTENT',
  'docs/closed/.htaccess': 'Require ip 10.2.0.0/16\n',
  'docs/closed/page.html': 'CONTENT',
  'docs/moved/.htaccess':
    'RewriteEngine On\nRewriteRule ^page$ /closed/page.html [L]\nRewriteRule ^far$ https://far.example/ [R]\n',
}

async function server(t: Test, config = SITE): Promise<TestServer> {
  const made = await site({ modules: MODULES, config, files: FILES })
  t.teardown(() => made.close())
  return made
}

/** A question as nginx asks it. */
function asked(url: string, client = '10.1.2.3', fields: Record<string, string> = {}) {
  const path = url.startsWith('/') ? `http://site.example${url}` : url
  return {
    target: '/decide',
    headers: { 'X-Original-URL': path, 'X-Original-Method': 'GET', 'X-Forwarded-For': client, ...fields },
  }
}

t.test('a request is decided by the sections and .htaccess files of its own path, for its own client', async (t) => {
  const { inject } = await server(t)
  for (const [url, client, status] of [
    ['/page.html', '192.0.2.1', 200],
    ['/missing', '192.0.2.1', 200],
    ['/office/x', '10.1.2.3', 200],
    ['/office/x', '10.2.2.3', 403],
    ['/closed/page.html', '10.2.0.1', 200],
    ['/closed/page.html', '10.1.0.1', 403],
    ['/closed/page.html?a=/office/', '10.1.0.1', 403],
  ] as const) {
    const response = await inject(asked(url, client))
    t.equal(response.status, status, `${url} for ${client}`)
    t.notMatch(response.body, 'CONTENT')
    t.equal(response.header('Cache-Control'), 'no-store')
  }
})

t.test('the last address of X-Forwarded-For is the client, because the proxy wrote it', async (t) => {
  const { inject } = await server(t)
  t.match(await inject(asked('/office/', '10.1.2.3, 192.0.2.1')), { status: 403 })
  t.match(await inject(asked('/office/', '192.0.2.1, 10.1.2.3')), { status: 200 })
})

t.test('a user is known by the fields of choice, and an unknown one is asked for', async (t) => {
  const { inject } = await server(t)
  const unknown = await inject(asked('/members/'))
  t.equal(unknown.status, 401)
  t.equal(unknown.header('WWW-Authenticate'), 'Basic realm="app"')
  t.equal(unknown.header('X-User'), undefined)
  const known = await inject(asked('/members/', '192.0.2.1', basicAuth('alice', 'alice-password')))
  t.equal(known.status, 200)
  t.equal(known.header('X-User'), 'alice')
  t.equal(known.header('X-Groups'), 'admins')
  const wrong = await inject(asked('/members/', '192.0.2.1', basicAuth('alice', 'wrong')))
  t.equal(wrong.status, 401)
  t.equal(wrong.header('X-User'), undefined)
})

t.test('the reason is sent to those who may see it', async (t) => {
  const { inject } = await server(t)
  const seen = await inject(asked('/office/', '10.9.9.9'))
  t.match(seen.header('X-Reason'), /^denied: Require ip 10\.1\.0\.0\/16 \(.*httpd\.conf:\d+\)$/)
  t.equal((await inject(asked('/office/', '192.0.2.1'))).header('X-Reason'), undefined)
})

t.test('a redirect is 401 with its Location for nginx, and a redirect for other proxies', async (t) => {
  const { inject } = await server(t)
  for (const [url, location] of [
    ['/old/a', 'https://elsewhere.example/new/a'],
    ['/moved/far', 'https://far.example/'],
  ]) {
    const response = await inject(asked(url))
    t.equal(response.status, 401)
    t.equal(response.header('Location'), location)
  }
  const other = await server(t, SITE.replace('AuthRequestFields nginx', 'AuthRequestFields traefik'))
  const response = await other.inject({
    target: '/decide',
    headers: {
      'X-Forwarded-Method': 'GET',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'site.example',
      'X-Forwarded-Uri': '/old/a',
      'X-Forwarded-For': '10.1.1.1',
    },
  })
  t.equal(response.status, 302)
  t.equal(response.header('Location'), 'https://elsewhere.example/new/a')
})

t.test('the rules of a folder that lead to another path are followed, and its access rules count', async (t) => {
  const { inject } = await server(t)
  t.match(await inject(asked('/moved/page', '10.2.0.1')), { status: 200 })
  t.match(await inject(asked('/moved/page', '10.1.0.1')), { status: 403 })
})

t.test('variables set by conditions on the request count, and those of the question do not', async (t) => {
  const config = `${SITE}
SetEnvIf Request_URI ^/decide trusted
SetEnvIf X-Pass ^yes$ pass
<Location /env>
  Require env trusted
</Location>
<Location /pass>
  SetEnvIf X-Pass ^yes$ pass
  Require env pass
</Location>`
  const { inject } = await server(t, config)
  t.match(await inject(asked('/env')), { status: 403 })
  t.match(await inject(asked('/pass')), { status: 403 })
  t.match(await inject(asked('/pass', '10.1.1.1', { 'X-Pass': 'yes' })), { status: 200 })
})

t.test('sections that are those of the endpoint are decided all the same', async (t) => {
  const config = `<Location />
SetHandler auth-request
AuthRequestFields nginx
AuthRequestTrust 127.0.0.1
Require ip 127.0.0.1
</Location>`
  const { inject } = await server(t, config)
  t.match(await inject(asked('/x', '192.0.2.1')), { status: 403 })
  t.match(await inject(asked('/x', '127.0.0.1')), { status: 200 })
})

t.test('a peer that is not trusted gets 403, whatever it asks', async (t) => {
  const made = await server(t)
  t.match(await made.inject({ ...asked('/page.html'), remoteAddress: '127.0.0.2' }), { status: 403 })
  t.match(moduleLog(made, 'auth_request'), [/the question is refused: AuthRequestTrust does not name 127\.0\.0\.2/])
  const untold = await server(t, SITE.replace('AuthRequestTrust 127.0.0.1', ''))
  t.match(await untold.inject(asked('/page.html')), { status: 403 })
  t.match(moduleLog(untold, 'auth_request'), [/is not trusted/])
})

t.test('proxies that mod_remoteip lists are trusted, and the client is the one that it found', async (t) => {
  const config = SITE.replace('AuthRequestTrust 127.0.0.1', '')
  const { inject } = await server(t, `${config}\nRemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 127.0.0.1 10.250.0.1`)
  t.match(await inject(asked('/office/', '10.1.2.3, 10.250.0.1')), { status: 200 })
  t.match(await inject(asked('/office/', '10.1.2.3, 192.0.2.1')), { status: 403 })
  t.match(await inject({ ...asked('/page.html'), remoteAddress: '127.0.0.2' }), { status: 403 })
  // Without entries mod_remoteip believes everybody; the endpoint does not.
  const open = await server(t, `${config}\nRemoteIPHeader X-Forwarded-For`)
  t.match(await open.inject(asked('/page.html')), { status: 403 })
})

t.test('hostile questions are refused', async (t) => {
  const { inject } = await server(t)
  for (const target of [
    '/a%2fb',
    '/a%2Fb',
    '/a%252fb',
    '/a%25252fb',
    '/a/../b',
    '/a/..',
    '/./a',
    '/%2e%2e/a',
    '/.%2E/a',
    '/%252e%252e/a',
    '/a%00b',
    '/a%5cb',
    '/a\\b',
    '//a',
    '/a//b',
    '/a;b',
    '/a%3bb',
    '/a%zz',
    '/a%',
  ]) {
    t.match(await inject(asked(target)), { status: 403 }, target)
  }
  for (const url of [
    '',
    'x',
    '//site/a',
    'ftp://site/a',
    'http:///a',
    'http://u:p@site/a',
    'http://a,b/',
    'http://site/a#b',
    'http://site /a',
    'http://site/a, http://site/b',
    'http://site/\xe4',
    'http://a/b\tc',
  ]) {
    t.match(await inject({ target: '/decide', headers: { ...asked('/').headers, 'X-Original-URL': url } }), { status: 403 }, url)
  }
  for (const method of ['', 'GET, GET', 'G T', 'TRACE', 'trace', 'CONNECT', 'GET,']) {
    t.match(await inject(asked('/', '10.1.1.1', { 'X-Original-Method': method })), { status: 403 }, method)
  }
  for (const client of ['', 'x', 'localhost', '10.1', '10.1.1.1,', '10.1.1.1:80', 'unknown', '10.1.1.256', 'fe80::1%eth0']) {
    t.match(await inject(asked('/', client)), { status: 403 }, client)
  }
  const { 'X-Original-Method': _method, ...without } = asked('/').headers
  t.match(await inject({ target: '/decide', headers: without }), { status: 403 })
})

t.test('with AuthRequestPaths any, paths are decided as if they had been sent here', async (t) => {
  const { inject } = await server(t, SITE.replace('AuthRequestTrust', 'AuthRequestPaths any\nAuthRequestTrust'))
  t.match(await inject(asked('/a/../office/', '10.2.1.1')), { status: 403 })
  t.match(await inject(asked('/a/../office/', '10.1.1.1')), { status: 200 })
  t.match(await inject(asked('/%2e%2e/%2e%2e/etc', '10.1.1.1')), { status: 403 })
  t.match(await inject(asked('/a%2fb', '10.1.1.1')), { status: 403 })
  t.match(await inject(asked('/a//office', '10.1.1.1')), { status: 200 })
})

t.test('the virtual host is that of the original host', async (t) => {
  const config = `${SITE}
<VirtualHost *:*>
ServerName first.example
<Location />
Require all granted
</Location>
</VirtualHost>
<VirtualHost *:*>
ServerName second.example
<Location />
Require ip 192.0.2.7
</Location>
</VirtualHost>`
  const { inject } = await server(t, config)
  t.match(await inject(asked('http://first.example/page.html')), { status: 200 })
  t.match(await inject(asked('http://second.example/page.html')), { status: 403 })
  t.match(await inject(asked('http://SECOND.example:8080/page.html', '192.0.2.7')), { status: 200 })
  t.match(await inject(asked('http://a..b/page.html')), { status: 403 })
})

t.test('Envoy sends the original method and path after a prefix', async (t) => {
  const config = SITE.replace('AuthRequestFields nginx', 'AuthRequestFields envoy prefix=/decide')
  const { inject } = await server(t, config)
  const ask = (path: string, client: string) =>
    inject({
      target: `/decide${path}`,
      method: 'POST',
      headers: { Host: 'site.example', 'X-Forwarded-Proto': 'http', 'X-Forwarded-For': client },
    })
  t.match(await ask('/office/', '10.1.1.1'), { status: 200 })
  t.match(await ask('/office/', '10.2.1.1'), { status: 403 })
  t.match(await ask('', '10.1.1.1'), { status: 403 })
})

t.test('wrong directives are refused with the thing at fault', async (t) => {
  const refused = (line: string) => configError({ modules: MODULES, config: `<Location /x>\n${line}\n</Location>` })
  t.match(await refused('AuthRequestFields apache'), /one of nginx, traefik, caddy, haproxy, envoy; not 'apache'/)
  t.match(await refused('AuthRequestFields nginx path=X'), /'path=X' is not one of url=/)
  t.match(await refused('AuthRequestFields nginx uri=X-Uri'), /without url= also host=, proto= is needed/)
  t.match(await refused('AuthRequestFields nginx "method=a b"'), /'a b' is not the name of a field/)
  t.match(await refused('AuthRequestFields nginx client=-'), /client=- has no meaning/)
  t.match(await refused('AuthRequestFields caddy prefix=/x'), /prefix= is for uri=-/)
  t.match(await refused('AuthRequestTrust proxy.example'), /not an address or a network/)
  t.match(await refused('AuthRequestGroups X-Groups nobody a'), /no loaded module has Require nobody/)
  t.match(await refused('AuthRequestGroups X-Groups group a,b'), /'a,b' cannot be sent in a list/)
  t.match(await refused('AuthRequestReason X-Reason'), /who may see it/)
  t.match(await refused('AuthRequestSet "X Y" a'), /'X Y' is not the name of a field/)
  t.match(await refused('AuthRequestPaths off'), /strict or any/)
  t.match(await configError({ modules: MODULES, config: 'AuthRequestTrust 10.0.0.1' }), /not allowed here/)
})

t.test('an endpoint without a kind of proxy answers nothing', async (t) => {
  const made = await server(t, '<Location /decide>\nSetHandler auth-request\nRequire all granted\n</Location>')
  t.match(await made.inject(asked('/')), { status: 500 })
  t.match(moduleLog(made, 'auth_request'), [/needs AuthRequestFields/])
})
