import { generateKeyPairSync } from 'node:crypto'
import { moduleLog } from '@gatewright/testing'
import { type JWTPayload, UnsecuredJWT } from 'jose'
import t, { type Test } from 'tap'
import { Browser } from './browser.ts'
import { echoed, type World, world } from './world.ts'

const STRANGER = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const seconds = (): number => Math.floor(Date.now() / 1_000)

async function staysOut(t: Test, { browser, server }: World, what: string): Promise<void> {
  t.notOk(browser.cookies.has('mod_auth_openidc_session'), what)
  t.equal((await browser.get('/f.txt', { Accept: 'application/json' })).status, 401, what)
  t.notMatch(moduleLog(server, 'auth_openidc').join('\n'), /secret of the client|the access token/, 'no secret is logged')
}

t.setTimeout(600_000)

t.test('an ID token that is not one of the provider for this login lets nobody in', async (t) => {
  const site = await world(t)
  const { browser, provider } = site
  const claims: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'another issuer': { iss: 'https://evil.example' },
    'another audience': { aud: 'other' },
    'several audiences, another party': { aud: ['web', 'other'], azp: 'other' },
    'no audience': { aud: undefined },
    'another nonce': { nonce: 'x' },
    'no nonce': { nonce: undefined },
    expired: { exp: seconds() - 4_000 },
    'without an end': { exp: undefined },
    'no subject': { sub: undefined },
    'a subject that is not a text': { sub: 1 },
    'a subject with a line end': { sub: 'a\nb' },
    'an empty subject': { sub: '' },
  }
  for (const [what, changed] of Object.entries(claims)) {
    provider.claims = changed
    provider.userInfo = { sub: changed.sub ?? 'alice' }
    const answer = await browser.login(provider)
    t.equal(answer.location, '', what)
    t.ok(answer.status === 403 || answer.status === 503, `${what}: ${answer.status}`)
    await staysOut(t, site, what)
  }
  provider.claims = {}
  const tokens: Readonly<Record<string, (usual: JWTPayload) => Promise<string>>> = {
    'alg none': (usual) => Promise.resolve(new UnsecuredJWT(usual).encode()),
    'alg none in the head': async (usual) => {
      const [, body] = (await provider.sign(usual)).split('.')
      return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
    },
    'the key of somebody else': (usual) => provider.sign(usual, {}, STRANGER.privateKey),
    'an unknown key': (usual) => provider.sign(usual, { kid: 'other' }, STRANGER.privateKey),
    'a changed body': async (usual) => {
      const [head, , signature] = (await provider.sign(usual)).split('.')
      return `${head}.${Buffer.from(JSON.stringify({ ...usual, sub: 'admin' })).toString('base64url')}.${signature}`
    },
    'no token': () => Promise.resolve(''),
    nonsense: () => Promise.resolve('x.y.z'),
  }
  for (const [what, made] of Object.entries(tokens)) {
    provider.idToken = made
    provider.userInfo = { sub: 'alice' }
    const answer = await browser.login(provider)
    t.ok(answer.status === 403 || answer.status === 503, `${what}: ${answer.status}`)
    await staysOut(t, site, what)
  }
  provider.idToken = (usual) => provider.sign(usual)
  t.equal((await browser.login(provider)).status, 302, 'a good one does')
})

t.test('the user info of somebody else lets nobody in', async (t) => {
  const site = await world(t)
  site.provider.userInfo = { sub: 'bob' }
  t.equal((await site.browser.login(site.provider)).status, 503)
  await staysOut(t, site, 'user info')
})

t.test('a response to the redirect URI that belongs to no login of this browser is not believed', async (t) => {
  const site = await world(t)
  const { browser, provider, server } = site
  const victim = new Browser(server)
  const own = await provider.login((await browser.get('/f.txt')).location)
  const changed = (change: (parameters: URLSearchParams) => void): URL => {
    const url = new URL(own)
    change(url.searchParams)
    return url
  }
  const state = own.searchParams.get('state') ?? ''
  const wrong: Readonly<Record<string, URL>> = {
    'no state': changed((all) => all.delete('state')),
    'an empty state': changed((all) => all.set('state', '')),
    'an invented state': changed((all) => all.set('state', 'x'.repeat(100))),
    'a changed state': changed((all) => all.set('state', `${state.startsWith('A') ? 'B' : 'A'}${state.slice(1)}`)),
    'a cut state': changed((all) => all.set('state', state.slice(0, -4))),
    'no code': changed((all) => all.delete('code')),
  }
  for (const [what, url] of Object.entries(wrong)) {
    t.match(await victim.back(url), { status: 400, location: '' }, what)
  }
  // The code of an attacker: login CSRF.
  const forced = await victim.back(own)
  t.equal(new URL(forced.location).pathname, '/authorize', 'the victim logs in as nobody but itself')
  t.notOk(provider.asked.includes('/token'))
  t.notOk(victim.cookies.has('mod_auth_openidc_session'))
  await staysOut(t, site, 'forced')
})

t.test('the way back of a login that began at another host leads nowhere', async (t) => {
  const { browser, provider, server } = await world(t)
  const attacker = new Browser(server)
  const begun = await attacker.get('/phishing', { Host: 'evil.example' })
  const url = await provider.login(begun.location)
  await browser.login(provider)
  t.match(await browser.back(url), { status: 400, location: '' }, 'a client with a session')
  browser.cookies.clear()
  t.match(await browser.back(url), { status: 400, location: '' }, 'a client without one')
})

t.test('virtual hosts with one passphrase do not accept the sessions of each other, unless they have one client', async (t) => {
  const { browser, provider, server } = await world(t, {
    after: `<VirtualHost *:*>
ServerName localhost
</VirtualHost>
<VirtualHost *:*>
ServerName other.example
OIDCClientID other
</VirtualHost>
<VirtualHost *:*>
ServerName same.example
OIDCDefaultURL /
</VirtualHost>`,
  })
  await browser.login(provider)
  t.equal((await browser.get('/f.txt')).status, 200)
  t.equal((await browser.get('/f.txt', { Host: 'same.example' })).status, 200, 'the same client')
  t.equal((await browser.get('/f.txt', { Host: 'other.example' })).status, 302, 'another client')
  const sent = await new Browser(server).get('/f.txt', { Host: 'other.example' })
  const url = await provider.login(sent.location)
  t.equal((await browser.get(url.pathname + url.search)).status, 400, 'nor their logins')
})

t.test('a code is taken once', async (t) => {
  const { browser, provider, server } = await world(t)
  const url = await provider.login((await browser.get('/f.txt')).location)
  const copied = new Browser(server)
  for (const [name, value] of browser.cookies) copied.cookies.set(name, value)
  t.equal((await browser.back(url)).status, 302)
  const replayed = await copied.back(url)
  t.match({ status: replayed.status, session: copied.cookies.has('mod_auth_openidc_session') }, { status: 403, session: false })
  browser.cookies.delete('mod_auth_openidc_session')
  t.equal(new URL((await browser.back(url)).location).pathname, '/authorize')
})

t.test('a response that names another issuer is refused (RFC 9207)', async (t) => {
  const site = await world(t)
  const { browser, provider } = site
  provider.response = { iss: 'https://evil.example' }
  t.equal((await browser.login(provider)).status, 403)
  t.notOk(provider.asked.includes('/token'), 'nobody sends a code to another provider')
  provider.response = {}
  provider.metadata = { authorization_response_iss_parameter_supported: true }
  const other = await world(t)
  other.provider.metadata = { authorization_response_iss_parameter_supported: true }
  t.equal((await other.browser.login(other.provider)).status, 403, 'a provider that names itself always does')
  other.provider.response = { iss: other.provider.url }
  t.equal((await other.browser.login(other.provider)).status, 302)
})

t.test('a response with parameters twice, or with tokens, is refused', async (t) => {
  const { browser, provider } = await world(t)
  for (const change of ['&code=other', '&state=other', '&iss=a&iss=b', '&id_token=x', '&response=x']) {
    const url = await provider.login((await browser.get('/f.txt')).location)
    const answer = await browser.get(`${url.pathname}${url.search}${change}`)
    t.ok(answer.status >= 400, `${change}: ${answer.status}`)
    t.notOk(browser.cookies.has('mod_auth_openidc_session'), change)
  }
})

t.test('an error of the provider is shown without what it says', async (t) => {
  const { browser, provider, server } = await world(t)
  const url = await provider.login((await browser.get('/f.txt')).location)
  url.searchParams.delete('code')
  url.searchParams.set('error', 'access_denied')
  url.searchParams.set('error_description', '<script>alert(1)</script>\nforged line')
  const answer = await browser.back(url)
  t.equal(answer.status, 403)
  t.notMatch(answer.body, /script|forged/)
  t.match(moduleLog(server, 'auth_openidc').join('\n'), /access_denied: <script>alert\(1\)<\/script>\?forged line/)
})

t.test('a session has another id than before the login, and ends with the logout', async (t) => {
  const { browser, provider, server } = await world(t)
  browser.cookies.set('mod_auth_openidc_session', 'planted')
  await browser.login(provider)
  const first = browser.cookies.get('mod_auth_openidc_session') ?? ''
  t.match(first, /^[\w-]{32}$/)
  const stale = new Browser(server)
  stale.cookies.set('mod_auth_openidc_session', first)
  t.equal((await stale.get('/f.txt')).status, 200)
  await browser.get('/callback?logout=')
  t.equal((await stale.get('/f.txt')).status, 302, 'the session itself has ended')
  for (const value of ['', 'x', '../../etc', `${first.slice(0, -1)}.`, 'A'.repeat(32), 'A'.repeat(5_000)]) {
    stale.cookies.set('mod_auth_openidc_session', value)
    t.equal((await stale.get('/f.txt')).status, 302, value)
  }
})

t.test('fields of a client that look like those of this module are deleted, whatever the page is', async (t) => {
  const { browser } = await world(t, {
    lines: 'OIDCClaimPrefix X-Claim-',
    section: 'OIDCAuthNHeader X-Remote-User\nOIDCUnAuthAction pass',
  })
  const forged = {
    'X-Claim-Sub': 'admin',
    x_claim_groups: 'admin',
    OIDC_access_token: 'forged',
    'OIDC-Id-Token': 'forged',
    OIDC_CLAIM_sub: 'forged',
    'X-Remote-User': 'admin',
    'X_Remote.User': 'admin',
  }
  for (const page of ['/public', '/echo']) {
    const { fields } = echoed(await browser.get(page, forged))
    t.same(
      Object.keys(fields).filter((name) => /claim|oidc|remote/i.test(name)),
      [],
      page,
    )
  }
  const { browser: known, provider: other } = await world(t, { section: 'OIDCAuthNHeader X-Remote-User' })
  await known.login(other)
  const { fields } = echoed(await known.get('/echo', { ...forged, OIDC_CLAIM_admin: 'yes' }))
  t.equal(fields['X-Remote-User'], `alice@${other.url}`)
  t.equal(fields.OIDC_CLAIM_sub, 'alice')
  t.notOk('OIDC_CLAIM_admin' in fields)
  t.equal(fields.OIDC_access_token, 'the access token')
})

t.test('a provider that is away, slow or talks nonsense lets nobody in, and nothing hangs', async (t) => {
  const site = await world(t, { lines: 'OIDCHTTPTimeoutLong 1\nOIDCHTTPTimeoutShort 1' })
  const { browser, provider } = site
  const faults: Readonly<Record<string, (path: string) => readonly [number, string] | 'silence' | 'break' | null>> = {
    'no keys': (path) => (path === '/jwks' ? [200, '{"keys":[]}'] : null),
    'no answer to tokens': (path) => (path === '/token' ? 'silence' : null),
    'tokens that break off': (path) => (path === '/token' ? 'break' : null),
    'an error page for tokens': (path) => (path === '/token' ? [500, '<html>'] : null),
    'a page for tokens': (path) => (path === '/token' ? [200, '<html>'] : null),
    'an empty object for tokens': (path) => (path === '/token' ? [200, '{}'] : null),
    'a list for tokens': (path) => (path === '/token' ? [200, '[]'] : null),
    'a redirect for tokens': (path) => (path === '/token' ? [302, ''] : null),
    'too much for tokens': (path) => (path === '/token' ? [200, `{"a":"${'x'.repeat(300_000)}"}`] : null),
    'no answer to user info': (path) => (path === '/userinfo' ? 'silence' : null),
    'nonsense for user info': (path) => (path === '/userinfo' ? [200, '"x"'] : null),
  }
  for (const [what, fault] of Object.entries(faults)) {
    provider.instead = (path, response) => {
      const found = fault(path)
      if (found === null) return false
      if (found === 'break') response.destroy()
      else if (found !== 'silence')
        response.writeHead(found[0], { 'Content-Type': 'application/json', Location: '/jwks' }).end(found[1])
      return true
    }
    const answer = await browser.login(provider)
    t.ok(answer.status === 503 || answer.status === 403, `${what}: ${answer.status}`)
    await staysOut(t, site, what)
  }
})

t.test('a provider that cannot be reached is a 503 at once, and logins work when it is back', async (t) => {
  const { browser, provider, server } = await world(t)
  provider.instead = (_path, response) => {
    response.destroy()
    return true
  }
  for (let visit = 0; visit < 3; visit++) t.match(await browser.get('/f.txt'), { status: 503, cookies: [] })
  t.equal(provider.asked.length, 1, 'it is not asked for each of the requests')
  t.match(moduleLog(server, 'auth_openidc').join('\n'), /a login failed: .*failed a moment ago/)
  provider.instead = () => false
  while ((await browser.get('/f.txt')).status !== 302) await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal((await browser.login(provider)).status, 302)
})

t.test('metadata that are not those of the provider are not used', async (t) => {
  const metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'another issuer': { issuer: 'https://evil.example' },
    'no issuer': { issuer: 1 },
    'no token endpoint': { token_endpoint: null },
    'keys without TLS': { jwks_uri: 'http://evil.example/jwks' },
    'a place that is not a URL': { authorization_endpoint: 'javascript:alert(1)' },
  }
  for (const [what, changed] of Object.entries(metadata)) {
    const { browser, provider, server } = await world(t)
    provider.metadata = changed
    const answer = await browser.get('/f.txt')
    t.match({ status: answer.status, cookies: answer.cookies }, { status: 503, cookies: [] }, what)
    t.match(moduleLog(server, 'auth_openidc').join('\n'), /a login failed: /)
  }
})

t.test('a rewriting does not lead from the redirect URI to a page', async (t) => {
  const { default: dir } = await import('../../mod_dir/src/index.ts')
  const { browser } = await world(t, { modules: [dir], after: '<Directory />\nFallbackResource /f.txt\n</Directory>' })
  const answer = await browser.get('/callback')
  t.equal(answer.status, 400)
  t.notMatch(answer.body, /^text/)
})
