import type { SharedStore } from '@gatewright/api'
import { moduleLog, site, withServices } from '@gatewright/testing'
import t from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import authOpenId from '../src/index.ts'
import { Browser } from './browser.ts'
import { TestProvider } from './test-provider.ts'
import { echoed, world } from './world.ts'

// What users of mod_auth_openidc report most often, with the numbers of their threads at OpenIDC/mod_auth_openidc.

t.setTimeout(600_000)

t.test('logins that do not return leave one short cookie (#53, #108, #113, #331, #399)', async (t) => {
  const { browser, provider } = await world(t)
  const long = `/f.txt?q=${'x'.repeat(1_500)}`
  let first = ''
  for (let visit = 0; visit < 50; visit++) {
    const { location, cookies } = await browser.get(long)
    first ||= location
    t.equal(cookies.length, 1)
    t.ok((cookies[0]?.length ?? 0) < 700, `the cookie has ${cookies[0]?.length} characters`)
  }
  t.same([...browser.cookies.keys()], ['mod_auth_openidc_state'])
  const last = await browser.login(provider, long)
  t.equal(last.location, `http://localhost${long}`)
  t.notOk(first === '')
})

t.test('so many logins of a browser may be under way as OIDCStateMaxNumberOfCookies admits; the oldest make room', async (t) => {
  const { browser, provider } = await world(t, { lines: 'OIDCStateMaxNumberOfCookies 2' })
  const urls: URL[] = []
  for (const page of ['/f.txt?1', '/f.txt?2', '/f.txt?3']) urls.push(await provider.login((await browser.get(page)).location))
  const [oldest, second, third] = urls
  t.equal(new URL((await browser.back(oldest)).location).origin, provider.url, 'the oldest begins again')
  t.equal((await browser.back(third)).location, 'http://localhost/f.txt?3')
  t.equal((await browser.back(second)).location, 'http://localhost/f.txt?2', 'who is logged in gets the page')
})

t.test('a login that returns too late begins again and leads to the same page (#59, #226, #774)', async (t) => {
  const { browser, provider, server } = await world(t)
  const sent = await browser.get('/f.txt?late')
  const url = await provider.login(sent.location)
  browser.cookies.clear()
  const again = await browser.back(url)
  t.equal(again.status, 302)
  t.equal(new URL(again.location).pathname, '/authorize')
  t.equal(provider.asked.includes('/token'), false, 'nobody asks about the code of a login that is not of this browser')
  t.match(await browser.back(await provider.login(again.location)), { status: 302, location: 'http://localhost/f.txt?late' })
  t.equal((await browser.get('/f.txt')).status, 200)
  t.match(moduleLog(server, 'auth_openidc').join('\n'), /begins again/)
})

t.test('a browser without cookies does not run in circles', async (t) => {
  const { browser, provider } = await world(t)
  let { location } = await browser.get('/f.txt')
  const statuses: number[] = []
  for (let round = 0; round < 6 && location !== ''; round++) {
    browser.cookies.clear()
    const answer = await browser.back(await provider.login(location))
    statuses.push(answer.status)
    location = answer.location
  }
  t.same(statuses, [302, 302, 302, 400])
})

t.test('a client that goes back to the way back gets its page (#86, #89)', async (t) => {
  const { browser, provider } = await world(t)
  const url = await provider.login((await browser.get('/f.txt')).location)
  t.equal((await browser.back(url)).location, 'http://localhost/f.txt')
  const before = browser.cookies.get('mod_auth_openidc_session')
  t.match(await browser.back(url), { status: 302, location: 'http://localhost/f.txt' })
  t.equal(browser.cookies.get('mod_auth_openidc_session'), before)
})

t.test('the cookie of a session is short, whatever the provider says of the user (#84, #92, #153, #245)', async (t) => {
  const { browser, provider } = await world(t)
  provider.claims = { groups: Array.from({ length: 1_000 }, (_value, index) => `a group with the number ${index}`) }
  const { cookies } = await browser.login(provider)
  for (const cookie of cookies) t.ok(cookie.length < 300, cookie)
  t.equal((await browser.get('/f.txt')).status, 200)
})

t.test('while the cache keeps no sessions, a login fails once in place of running in circles (#185)', async (t) => {
  const provider = new TestProvider()
  await provider.start()
  const forgetful: SharedStore = {
    reach: 'machines',
    get: () => Promise.resolve(undefined),
    set: () => {},
    delete: () => {},
    increment: () => Promise.resolve(undefined),
    compareAndSet: () => Promise.resolve(undefined),
    publish: () => {},
    subscribe: () => () => {},
    figures: () => Promise.resolve(undefined),
  }
  const server = await site({
    modules: [authnCore, authzCore, authzUser, withServices(authOpenId, { shared: () => forgetful })],
    config: `OIDCProviderMetadataURL ${provider.url}/.well-known/openid-configuration
OIDCClientID web
OIDCRedirectURI /callback
OIDCCryptoPassphrase "a passphrase of enough letters"
<Location />
AuthType openid-connect
Require valid-user
</Location>`,
  })
  t.teardown(async () => {
    await server.close()
    await provider.stop()
  })
  const answer = await new Browser(server).login(provider)
  t.equal(answer.status, 503)
  t.match(moduleLog(server, 'auth_openidc').join('\n'), /did not keep a session/)
})

t.test('requests that cannot log in get 401 and no cookie (#113, #143, #220)', async (t) => {
  const { browser } = await world(t)
  const requests: readonly Readonly<Record<string, string>>[] = [
    { 'X-Requested-With': 'XMLHttpRequest' },
    { 'Sec-Fetch-Mode': 'cors' },
    { 'Sec-Fetch-Dest': 'image' },
    { Accept: 'application/json' },
    { Accept: 'image/png' },
  ]
  for (const headers of requests) {
    const answer = await browser.get('/f.txt', headers)
    t.match(answer, { status: 401, cookies: [], location: '' }, JSON.stringify(headers))
    t.equal(answer.header('WWW-Authenticate'), undefined)
  }
  t.equal((await browser.get('/f.txt', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' })).status, 302)
})

t.test('Require claim looks into nested claims and lists (#297, #333, #392, #462)', async (t) => {
  const lines = [
    ['/realm', 'claim realm_access.roles:admin', 404],
    ['/realm-other', 'claim realm_access.roles:adm', 401],
    ['/client', 'claim resource_access.my-client.roles:r2', 404],
    ['/list', 'claim groups:/test/sub', 404],
    ['/pattern', 'claim "groups~^/test/"', 404],
    ['/pattern-other', 'claim "groups~^/prod/"', 401],
    ['/one-of-two', 'claim groups:none sub:alice', 404],
    ['/whole', 'claim "name:Älice"', 404],
    ['/blank', 'claim "title:two words"', 404],
    ['/word', 'claim title:two', 401],
    ['/number', 'claim level:3', 404],
    ['/truth', 'claim admin:true', 404],
    ['/dots', 'claim https://example.org/role:x', 404],
    ['/values', 'claim groups /test/sub', 404],
  ] as const
  const { browser, provider } = await world(t, {
    after: lines.map(([path, rule]) => `<Location "${path}">\nRequire ${rule}\n</Location>`).join('\n'),
  })
  provider.claims = {
    realm_access: { roles: ['user', 'admin'] },
    resource_access: { 'my-client': { roles: ['r1', 'r2'] } },
    groups: ['/test/sub', 'other'],
    title: 'two words',
    level: 3,
    admin: true,
    'https://example.org/role': 'x',
  }
  await browser.login(provider)
  for (const [path, rule, status] of lines) t.equal((await browser.get(path)).status, status, rule)
})

t.test('a logout leads to no other site (#449)', async (t) => {
  const { browser, provider } = await world(t)
  const outside = [
    'https://evil.example/',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    'https:evil.example',
    'https:///evil.example/',
    'http://localhost@evil.example/',
    'http://localhost.evil.example/',
    'http://evil.example/localhost',
    'javascript:alert(1)',
    'data:text/html,x',
    '/%0d%0aSet-Cookie:x',
    ' https://evil.example/',
    '/\t/evil.example/',
    'evil.example',
  ]
  await browser.login(provider)
  for (const target of outside) {
    const { status, location } = await browser.get(`/callback?logout=${encodeURIComponent(target)}`)
    if (target === '/%0d%0aSet-Cookie:x') t.equal(location, 'http://localhost/%0d%0aSet-Cookie:x')
    else t.match({ status, location }, { status: 400, location: '' }, target)
  }
})

t.test('behind a proxy that speaks TLS, URLs and cookies are those of https (#172)', async (t) => {
  const { browser } = await world(t, { lines: 'OIDCXForwardedHeaders X-Forwarded-Proto X-Forwarded-Host' })
  const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'www.example.org' }
  const { location, cookies } = await browser.get('/f.txt', headers)
  t.equal(new URL(location).searchParams.get('redirect_uri'), 'https://www.example.org/callback')
  t.match(cookies[0], /; Secure; HttpOnly; SameSite=Lax$/)
  const { browser: other } = await world(t)
  const plain = await other.get('/f.txt', headers)
  t.equal(
    new URL(plain.location).searchParams.get('redirect_uri'),
    'http://localhost/callback',
    'without the directive, nobody believes clients',
  )
})

t.test('the user may come from the user info endpoint, by a part of a claim (#145, #360, #915)', async (t) => {
  const rules = [
    ['OIDCRemoteUserClaim email', 'alice@example.org'],
    ['OIDCRemoteUserClaim email ^(.*)@', 'alice'],
    ['OIDCRemoteUserClaim email "^(.*)@([^.]+)\\..+$" "$2\\\\$1"', 'example\\alice'],
    ['OIDCRemoteUserClaim preferred_username ^(.*)$ $1@test.com', 'ali@test.com'],
  ] as const
  for (const [lines, expected] of rules) {
    const { browser, provider } = await world(t, { lines })
    provider.userInfo = { sub: 'alice', email: 'alice@example.org', preferred_username: 'ali' }
    await browser.login(provider)
    t.equal(echoed(await browser.get('/echo')).user, expected, lines)
  }
  const { browser, provider } = await world(t, { lines: 'OIDCRemoteUserClaim nobody' })
  t.equal((await browser.login(provider)).status, 403)
})

t.test('claims beyond ASCII reach programs as UTF-8, as Latin-1 or encoded (#417, #956)', async (t) => {
  const text = async (section: string): Promise<readonly [string | undefined, string | undefined]> => {
    const { browser, provider } = await world(t, { section })
    provider.userInfo = { sub: 'alice', name: 'Ünal \u{1F600}' }
    await browser.login(provider)
    const { fields, env } = echoed(await browser.get('/echo'))
    return [fields.OIDC_CLAIM_name, env.OIDC_CLAIM_name]
  }
  const utf8 = Buffer.from('Ünal \u{1F600}').toString('latin1')
  t.same(await text(''), [utf8, utf8])
  t.same(await text('OIDCPassClaimsAs both latin1'), ['Ünal ?', 'Ünal ?'])
  t.same(await text('OIDCPassClaimsAs both base64url'), [Buffer.from(utf8, 'latin1').toString('base64url'), utf8])
})

t.test('the cookie of a session stays the same while it is used, so that parallel requests do not lose it (#204)', async (t) => {
  const { browser, provider } = await world(t)
  await browser.login(provider)
  const answers = await Promise.all(Array.from({ length: 20 }, () => browser.get('/f.txt')))
  for (const { status, cookies } of answers) t.match({ status, cookies }, { status: 200, cookies: [] })
})
