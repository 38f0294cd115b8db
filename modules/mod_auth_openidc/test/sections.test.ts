import { configError } from '@gatewright/testing'
import t from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authOpenId from '../src/index.ts'
import { Browser } from './browser.ts'
import { echoed, world } from './world.ts'

t.setTimeout(600_000)

t.test('OIDCUnAuthAction decides about clients without a session', async (t) => {
  const actions = [
    ['/c401', 'OIDCUnAuthAction 401', 401],
    ['/c407', 'OIDCUnAuthAction 407', 407],
    ['/c410', 'OIDCUnAuthAction 410', 410],
    ['/pass', 'OIDCUnAuthAction pass', 404],
    ['/always', 'OIDCUnAuthAction auth true', 302],
    ['/curl', 'OIDCUnAuthAction 401 "%{HTTP_USER_AGENT} =~ /curl/"', 302],
  ] as const
  const { browser } = await world(t, {
    after: actions.map(([path, line]) => `<Location "${path}">\n${line}\n</Location>`).join('\n'),
  })
  for (const [path, line, status] of actions) t.equal((await browser.get(path)).status, status, line)
  t.equal((await browser.get('/curl', { 'User-Agent': 'curl/8' })).status, 401)
  t.equal((await browser.get('/always', { Accept: 'image/png' })).status, 302)
})

t.test('OIDCUnAutzAction decides about users whom Require refuses', async (t) => {
  const none = 'Require claim nothing:here'
  const actions = [
    ['/default', '', 401, /Unauthorized/],
    ['/c403', 'AuthzSendForbiddenOnFailure On\nOIDCUnAutzAction 403 "not <you>"', 403, /not &lt;you&gt;/],
    ['/text', 'OIDCUnAutzAction 401 "not <you>"', 401, /not &lt;you&gt;/],
    ['/redirect', 'OIDCUnAutzAction 302 https://help.example.org/', 401, /content="0; url=https:\/\/help\.example\.org\/"/],
    [
      '/auth',
      'OIDCUnAutzAction auth',
      401,
      /content="0; url=http:\/\/127\.0\.0\.1:\d+\/authorize\?response_type=code&amp;scope=openid/,
    ],
  ] as const
  const { browser, provider } = await world(t, {
    after: actions.map(([path, line]) => `<Location "${path}">\n${line}\n${none}\n</Location>`).join('\n'),
  })
  await browser.login(provider)
  for (const [path, line, status, body] of actions) t.match(await browser.get(path), { status, body }, line)
  t.ok(browser.cookies.has('mod_auth_openidc_state'), 'the login that the page leads to has begun')
})

t.test('a session ends when it is not used, and at the end of its time', async (t) => {
  const { browser, provider } = await world(t, { lines: 'OIDCSessionMaxDuration 1' })
  await browser.login(provider)
  t.equal((await browser.get('/f.txt')).status, 200)
  while ((await browser.get('/f.txt')).status === 200) await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal((await browser.get('/f.txt')).status, 302)
  const { browser: other, provider: shortLived } = await world(t, { lines: 'OIDCSessionMaxDuration 0' })
  shortLived.claims = { exp: Math.floor(Date.now() / 1_000) - 1 }
  t.equal((await other.login(shortLived)).status, 503, 'an ID token that has expired makes no session')
})

t.test('a logout ends the session here and at the provider', async (t) => {
  const { browser, provider } = await world(t, { lines: 'OIDCProviderEndSessionEndpoint @PROVIDER@/end' })
  await browser.login(provider)
  const { status, location } = await browser.get(`/callback?logout=${encodeURIComponent('http://localhost/bye')}`)
  t.equal(status, 302)
  const url = new URL(location)
  t.equal(url.origin + url.pathname, `${provider.url}/end`)
  t.match(Object.fromEntries(url.searchParams), {
    client_id: 'web',
    post_logout_redirect_uri: 'http://localhost/bye',
    id_token_hint: /^eyJ/,
  })
  t.notOk(browser.cookies.has('mod_auth_openidc_session'))
  const { browser: other } = await world(t, { lines: 'OIDCDefaultLoggedOutURL /bye' })
  t.equal((await other.get('/callback?logout=')).location, 'http://localhost/bye')
  const { browser: third } = await world(t, { lines: 'OIDCRedirectURLsAllowed ^https://other\\.example/' })
  t.equal(
    (await third.get(`/callback?logout=${encodeURIComponent('https://other.example/x')}`)).location,
    'https://other.example/x',
  )
  t.equal((await third.get(`/callback?logout=${encodeURIComponent('/x')}`)).status, 400)
})

t.test('the provider ends sessions by the back channel and the front channel', async (t) => {
  const { browser, provider, server } = await world(t)
  const now = Math.floor(Date.now() / 1_000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const send = async (claims: object): Promise<number> => {
    const token = await provider.sign(
      { iss: provider.url, aud: 'web', iat: now, exp: now + 60, jti: 'x', events, ...claims },
      { typ: 'logout+jwt' },
    )
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return (
      await server.inject({ method: 'POST', target: '/callback?logout=backchannel', headers, body: `logout_token=${token}` })
    ).status
  }
  provider.claims = { sid: 's1' }
  await browser.login(provider)
  const second = new Browser(server)
  await second.login(provider)
  for (const wrong of [
    { sid: 's1', events: {} },
    { sid: 's1', nonce: 'x' },
    { sid: 's1', aud: 'other' },
    { sid: 's1', iss: 'x' },
    {},
  ]) {
    t.equal(await send(wrong), 400, JSON.stringify(wrong))
  }
  t.equal((await browser.get('/f.txt')).status, 200)
  t.equal(await send({ sid: 's1' }), 200)
  t.equal((await browser.get('/f.txt')).status, 302)
  t.equal((await second.get('/f.txt')).status, 302, 'both sessions are of this session at the provider')
  await browser.login(provider)
  t.equal(await send({ sub: 'alice' }), 200)
  t.equal((await browser.get('/f.txt')).status, 302)
  await browser.login(provider)
  const front = await new Browser(server).get(`/callback?logout=get&sid=s1&iss=${encodeURIComponent(provider.url)}`)
  t.match({ status: front.status, frame: front.header('X-Frame-Options') }, { status: 200, frame: 'DENY' })
  t.equal((await browser.get('/f.txt')).status, 302)
})

t.test('OIDCInfoHook shows what it names of the session, to its client only', async (t) => {
  const { browser, provider, server } = await world(t, { lines: 'OIDCInfoHook userinfo remote_user exp' })
  await browser.login(provider)
  const { status, body } = await browser.get('/callback?info=json')
  t.equal(status, 200)
  t.match(JSON.parse(Buffer.from(body, 'latin1').toString()), {
    remote_user: `alice@${provider.url}`,
    userinfo: { name: 'Älice' },
    exp: Number,
  })
  t.notMatch(body, /access_token/)
  t.equal((await new Browser(server).get('/callback?info=json')).status, 401)
  const { browser: without, provider: other } = await world(t)
  await without.login(other)
  t.equal((await without.get('/callback?info=json')).status, 404)
})

t.test('cookies are passed to the provider and stripped from pages as the directives say', async (t) => {
  const { browser, provider } = await world(t, {
    section: 'OIDCPassCookies route\nOIDCStripCookies mod_auth_openidc_session other',
  })
  browser.cookies.set('route', 'node1')
  browser.cookies.set('other', 'x')
  await browser.login(provider)
  t.equal(provider.lastToken?.cookie, 'route=node1')
  t.equal(echoed(await browser.get('/echo')).fields.Cookie, 'route=node1')
})

t.test('a login that another site asks for leads to pages of this site only', async (t) => {
  const { browser, provider } = await world(t)
  const iss = encodeURIComponent(provider.url)
  const begun = await browser.get(`/callback?iss=${iss}&target_link_uri=${encodeURIComponent('/f.txt?x')}`)
  t.equal((await browser.back(await provider.login(begun.location))).location, 'http://localhost/f.txt?x')
  t.equal((await browser.get(`/callback?iss=${iss}&target_link_uri=${encodeURIComponent('https://evil.example/')}`)).status, 400)
  t.equal((await browser.get(`/callback?iss=${encodeURIComponent('https://evil.example')}`)).status, 400)
})

t.test('parameters, scopes and PKCE of logins are those of the directives', async (t) => {
  const { browser } = await world(t, {
    lines: 'OIDCScope "openid email"\nOIDCAuthRequestParams "prompt=consent&state=forged&ui=#"\nOIDCPKCEMethod none',
    section: 'OIDCPathScope groups\nOIDCPathAuthRequestParams "acr_values=%{REQUEST_METHOD}"',
  })
  const { searchParams } = new URL((await browser.get('/f.txt?ui=de')).location)
  t.match(Object.fromEntries(searchParams), { scope: 'openid email groups', prompt: 'consent', ui: 'de', acr_values: 'GET' })
  t.equal(searchParams.getAll('state').length, 1)
  t.equal(searchParams.get('code_challenge'), null)
})

t.test('a redirect URI on another host is reported, unless the cookies are those of both', async (t) => {
  const { browser } = await world(t, { lines: 'OIDCRedirectURI https://login.example.org/callback' })
  t.match(await browser.get('/f.txt', { Host: 'www.example.org' }), { status: 500, cookies: [] })
  const { browser: both } = await world(t, {
    lines: 'OIDCRedirectURI https://login.example.org/callback\nOIDCCookieDomain example.org',
  })
  t.match(await both.get('/f.txt', { Host: 'www.example.org' }), { status: 302, cookies: [/; Domain=example\.org; .*Secure/] })
})

t.test('mistakes in directives are reported with what to do', async (t) => {
  const mistakes = [
    ['OIDCRedirectURI callback', /must be a URL or a path/],
    ['OIDCScope email', /must contain openid/],
    ['OIDCResponseType "id_token token"', /only code is/],
    ['OIDCSessionType client-cookie', /sessions are kept on the server/],
    ['OIDCCacheType redis', /SharedCache redis:HOST:PORT/],
    ['OIDCOAuthClientID x', /AuthType Bearer of mod_auth_bearer/],
    ['OIDCMetadataDir /var', /virtual hosts/],
    ['OIDCValidateIssuer Off', /name its issuer with OIDCProviderIssuer/],
    ['OIDCAuthNHeader Host', /determines the request itself/],
    ['OIDCCryptoPassphrase exec:/bin/false', /must print the secret on its first line/],
    ['OIDCStateTimeout x', /must be a number from 1 to 86400/],
    ['OIDCProviderIdTokenAs x', /OIDCProviderIdTokenAs/],
  ] as const
  for (const [config, message] of mistakes) {
    t.match(await configError({ modules: [authnCore, authzCore, authOpenId], config }), message, config)
  }
})

t.test('a passphrase may be printed by a program', async (t) => {
  const { browser, provider } = await world(t, { lines: 'OIDCCryptoPassphrase "exec:/bin/echo a long secret"' })
  t.match(await browser.login(provider), { status: 302, location: 'http://localhost/f.txt' })
})
