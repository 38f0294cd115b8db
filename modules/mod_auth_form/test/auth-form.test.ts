import { type InjectOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import session from '../../mod_session/src/index.ts'
import sessionCookie from '../../mod_session_cookie/src/index.ts'
import authForm from '../src/index.ts'
import { bodyEcho } from './body-echo.ts'

const MODULES = [authnCore, authnFile, authzCore, authzUser, session, sessionCookie, authForm, bodyEcho]
/** alice-password, mary-password. */
const USERS = 'alice:{SHA}LnNEJV8jKtmfFq9Xj5SGUhsNZSU=\nmary jane:{SHA}X+MGbSoHY6jmDZtuL2qw1UeKL5o=\n'
const FORM =
  'AuthType form\nAuthName app\nAuthFormProvider file\nAuthUserFile @ROOT@/users\nSession On\nSessionCookieName s path=/'
const GOOD = 'httpd_username=alice&httpd_password=alice-password'
const LOGGED_IN = 's=app-user=alice&app-pw=alice-password'

async function forms(t: Test, config: string): Promise<TestServer> {
  const server = await site({ modules: MODULES, config, files: { users: USERS, 'docs/login.html': 'the form\n' } })
  t.teardown(() => server.close())
  return server
}

function post(target: string, body: string, headers: Record<string, string> = {}): InjectOptions {
  return { method: 'POST', target, body, headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers } }
}

const inline = (lines = ''): string => `<Location />\n${FORM}\nRequire valid-user\n${lines}\n</Location>`

t.test('the directive table has the contexts that httpd prints', async (t) => {
  const table = Object.entries(authForm.directives ?? {})
  t.equal(table.length, 16)
  for (const [name, spec] of table) {
    t.same(spec.context, name === 'AuthFormSize' ? ['directory'] : ['directory', 'htaccess'], name)
    t.equal(spec.override, name === 'AuthFormSize' ? undefined : 'AuthConfig', name)
  }
})

t.test('a form that is posted to the page logs in, and the session does from then on', async (t) => {
  const server = await forms(t, inline())
  const refused = await server.inject('/x')
  t.equal(refused.status, 401)
  t.equal(refused.header('cache-control'), 'no-store')
  t.equal(refused.header('www-authenticate'), undefined)
  const login = await server.inject(post('/x', GOOD))
  t.match(login, { status: 200, body: 'POST alice []' })
  t.equal(login.header('set-cookie'), `${LOGGED_IN};path=/`)
  t.match(await server.inject({ target: '/x', headers: { Cookie: LOGGED_IN } }), { status: 200, body: 'GET alice []' })
  t.match(await server.inject(post('/x', 'a=1', { Cookie: LOGGED_IN })), { status: 200, body: 'POST alice [a=1]' })
})

t.test('wrong passwords and unknown users are refused with their lines in the log', async (t) => {
  const server = await forms(t, inline())
  t.equal((await server.inject(post('/x', 'httpd_username=alice&httpd_password=no'))).status, 401)
  t.match(server.errors().join('\n'), `AH01807: user 'alice': authentication failure for "/x": password Mismatch`)
  t.equal((await server.inject(post('/x', 'httpd_username=nobody&httpd_password=no'))).status, 401)
  t.match(server.errors().join('\n'), "AH01808: user 'nobody' not found: /x")
  for (const cookie of ['s=app-user=alice&app-pw=no', 's=app-user=alice', 's=other-user=alice&other-pw=alice-password', 's=']) {
    t.equal((await server.inject({ target: '/x', headers: { Cookie: cookie } })).status, 401, cookie)
  }
  t.equal((await server.inject(post('/x', GOOD, { 'Content-Type': 'text/plain' }))).status, 401, 'another type')
  t.equal((await server.inject({ target: `/x?${GOOD}` })).status, 401, 'the query')
  t.equal((await server.inject({ ...post('/x', GOOD), method: 'PUT' })).status, 401, 'another method')
})

t.test('forms are read as httpd reads them', async (t) => {
  const server = await forms(t, inline())
  const status = async (body: string): Promise<number> => (await server.inject(post('/x', body))).status
  t.equal(await status('httpd_username=mary+jane&httpd_password=mary%2dpassword'), 200)
  t.equal(await status(`${GOOD}&httpd_username=nobody`), 200, 'the first field of a name counts')
  t.equal(await status('httpd%5fusername=alice&&x&=1&httpd_password=alice-password%00rest'), 200)
  t.equal(await status('httpd_username=alice%4&httpd_password=alice-password'), 200, 'an escape that ends early')
  t.equal(await status('httpd_username=alice%zz&httpd_password=alice-password'), 401)
  t.match(server.errors().join('\n'), "AH01808: user 'aliceS' not found")
  t.equal(await status('httpd_username=alice;httpd_password=alice-password'), 401)
})

t.test('a form that is longer than AuthFormSize is refused with 413, also one of 10 MB', async (t) => {
  const server = await forms(t, inline('AuthFormSize 60'))
  t.equal(
    (await server.inject(post('/x', `${GOOD}&x=${'y'.repeat(12)}`))).status,
    200,
    'names and values count, not what separates them',
  )
  t.equal((await server.inject(post('/x', `${GOOD}&x=${'y'.repeat(13)}`))).status, 413)
  t.equal((await server.inject(post('/x', `x=${'y'.repeat(10_000_000)}&${GOOD}`))).status, 413)
  t.match(await server.inject(post('/x', GOOD)), { status: 200 })
})

t.test('locations lead to this site only, unless their hosts are named', async (t) => {
  const server = await forms(t, inline())
  const location = async (where: string, on = server): Promise<string | undefined> =>
    (await on.inject(post('/x', `${GOOD}&httpd_location=${encodeURIComponent(where)}`))).header('location')
  for (const own of ['/welcome', 'welcome.html?a=b:c', 'http://localhost/x', 'https://LOCALHOST:8443/x', '//localhost/x']) {
    t.equal(await location(own), own)
  }
  const elsewhere = [
    'http://evil.test/',
    '//evil.test/x',
    '/\\evil.test',
    '\\\\evil.test',
    'javascript:alert(1)',
    'data:text/html,x',
  ]
  const tricks = [
    'http://localhost@evil.test/',
    'http:evil.test',
    'http:///evil.test',
    ' //evil.test',
    '/\t/evil.test',
    'https:\\\\evil.test',
  ]
  for (const where of [...elsewhere, ...tricks]) t.equal(await location(where), undefined, where)
  t.match(server.errors().join('\n'), 'the Location field of a login form leads to another site, and is ignored')
  const named = await forms(t, inline('AuthFormLocationHosts Partner.test'))
  t.equal(await location('https://partner.test/x', named), 'https://partner.test/x')
  t.equal(await location('https://evil.test/x', named), undefined)
  const all = await forms(t, inline('AuthFormLocationHosts *'))
  t.equal(await location('https://evil.test/x', all), 'https://evil.test/x')
})

t.test('as in httpd, the location counts after a failure too, and a name with a colon is sent as Location', async (t) => {
  const server = await forms(t, inline())
  const failed = await server.inject(post('/x', 'httpd_username=alice&httpd_password=no&httpd_location=/again'))
  t.equal(failed.status, 302)
  t.equal(failed.header('location'), '/again')
  const named = await forms(t, inline('AuthFormLocation http://login.test/'))
  const refused = await named.inject(post('/x', 'httpd_username=alice&httpd_password=no'))
  t.equal(refused.status, 401)
  t.equal(refused.header('location'), 'http://login.test/')
})

t.test('a login replaces the request that the user wanted to send', async (t) => {
  const server = await forms(t, inline())
  const body = '&httpd_mimetype=text%2Fplain&httpd_body=a%3D1%26b'
  t.equal((await server.inject(post('/x', `${GOOD}&httpd_method=POST${body}`))).body, 'POST alice [a=1&b]')
  t.equal((await server.inject(post('/x', `${GOOD}&httpd_method=PUT${body}`))).body, 'PUT alice [a=1&b]', 'of another method')
  t.equal((await server.inject(post('/x', `${GOOD}&httpd_method=PUT`))).status, 500)
  t.match(
    server.errors().join('\n'),
    'AH01813: internal redirect requested but one or all of method, mimetype or body are NULL: /x',
  )
})

t.test('the handlers log in and out', async (t) => {
  const server = await forms(
    t,
    `<Location /login>\n${FORM}\nSetHandler form-login-handler\nAuthFormLoginSuccessLocation /in/%{REMOTE_USER}
AuthFormLoginRequiredLocation /login.html\nRequire all granted\n</Location>
<Location /logout>\n${FORM}\nSetHandler form-logout-handler\nAuthFormLogoutLocation /bye\nRequire all granted\n</Location>`,
  )
  const login = await server.inject(post('/login', GOOD))
  t.match([login.status, login.header('location'), login.header('set-cookie')], [302, '/in/alice', `${LOGGED_IN};path=/`])
  const failed = await server.inject(post('/login', 'httpd_username=alice&httpd_password=no'))
  t.match([failed.status, failed.header('location'), failed.header('set-cookie')], [302, '/login.html', undefined])
  t.equal((await server.inject('/login')).status, 405)
  const logout = await server.inject({ target: '/logout', headers: { Cookie: `${LOGGED_IN}&other=1` } })
  t.match([logout.status, logout.header('location'), logout.header('set-cookie')], [307, '/bye', 's=other=1;path=/'])
  t.equal(logout.header('cache-control'), 'no-store')
})

t.test('a form that is posted to the login handler counts, also if another user was logged in before', async (t) => {
  for (const passphrase of ['', 'AuthFormSitePassphrase secret\n']) {
    const handler = `${passphrase}SetHandler form-login-handler\nAuthFormLoginRequiredLocation /again`
    const server = await forms(t, inline(handler))
    const first = await server.inject(post('/x', GOOD))
    t.equal(first.status, 200)
    const Cookie = String(first.header('set-cookie')).replace(/;path=.*/, '')
    const wrong = await server.inject(post('/x', 'httpd_username=mary+jane&httpd_password=no', { Cookie }))
    t.match({ status: wrong.status, to: wrong.header('location') }, { status: 302, to: '/again' })
    const other = await server.inject(post('/x', 'httpd_username=mary+jane&httpd_password=mary-password', { Cookie }))
    t.equal(other.status, 200)
    t.match(String(other.header('set-cookie')), /^s=app-user=mary\+jane&/)
  }
})

t.test('a location whose expression gives nothing is not sent', async (t) => {
  const server = await forms(t, inline('AuthFormLoginSuccessLocation "%{HTTP:X-Go}"'))
  const { status, header } = await server.inject(post('/x', GOOD))
  t.match({ status, to: header('location') }, { status: 302, to: undefined })
})

t.test('AuthFormSitePassphrase marks sessions, which are not verified again', async (t) => {
  const server = await forms(t, inline('AuthFormSitePassphrase secret'))
  const login = await server.inject(post('/x', GOOD))
  const [cookie] = (login.header('set-cookie') ?? '').split(';')
  t.match(cookie, /&app-site=[0-9a-f]{32}$/)
  const status = async (changed: string): Promise<number> =>
    (await server.inject({ target: '/x', headers: { Cookie: changed } })).status
  t.equal(await status(cookie.replace('alice-password', 'wrong')), 200)
  t.equal(await status(cookie.replace('app-user=alice', 'app-user=bob').replace('alice-password', 'wrong')), 401)
  t.equal(await status('s=app-user=alice&app-pw=wrong&app-site=secret'), 401)
})

t.test('the form of an ErrorDocument is shown in place of the page', async (t) => {
  const server = await forms(t, `<Location /in>\n${FORM}\nErrorDocument 401 /login.html\nRequire valid-user\n</Location>`)
  t.match(await server.inject('/in/x'), { status: 401, body: 'the form\n' })
})

t.test('a server without mod_session does not start, and mistakes are reported', async (t) => {
  const without = MODULES.filter((module) => module !== session && module !== sessionCookie)
  await t.rejects(site({ modules: without, config: '' }))
  for (const [line, message] of [
    ['AuthFormProvider nosuch', /Unknown Authn provider: nosuch/],
    ['AuthFormUsername a=b', /AuthFormUsername cannot be empty, or contain '=' or '&'\./],
    ['AuthFormSize -1', /AuthCookieFormSize must be a size in bytes, or zero\./],
    [
      'AuthFormLogoutLocation %{nope:x}',
      /Could not parse logout required expression '%\{nope:x\}': Function 'nope' does not exist/,
    ],
  ] as const) {
    await t.rejects(site({ modules: MODULES, config: `<Location />\n${line}\n</Location>` }), message)
  }
})
