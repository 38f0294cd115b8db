import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleLog } from '@gatewright/testing'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import t from 'tap'
import { echoed, world } from './world.ts'

t.setTimeout(600_000)

const REFRESH = 'OIDCRefreshAccessTokenBeforeExpiry 60'
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = { type: 'pkcs8', format: 'pem' } as const

t.test('an access token is refreshed before it expires, and pages get the new one', async (t) => {
  const { browser, provider } = await world(t, { section: REFRESH })
  await browser.login(provider)
  t.equal(echoed(await browser.get('/echo')).fields.OIDC_access_token, 'the access token', 'not yet')
  provider.expiresIn = 50
  browser.cookies.clear()
  await browser.login(provider)
  t.equal(echoed(await browser.get('/echo')).fields.OIDC_access_token, 'access token 1')
  provider.expiresIn = 300
  t.equal(echoed(await browser.get('/echo')).fields.OIDC_access_token, 'access token 2')
  t.equal(echoed(await browser.get('/echo')).fields.OIDC_access_token, 'access token 2')
  t.strictSame(provider.refreshed, ['the refresh token', 'refresh token 1'], 'each token is used once')
})

t.test('of many requests at once, one refreshes, because providers take a refresh token once', async (t) => {
  const { browser, provider } = await world(t, { section: REFRESH })
  provider.expiresIn = 1
  await browser.login(provider)
  provider.expiresIn = 300
  const seen = await Promise.all(Array.from({ length: 20 }, () => browser.get('/echo')))
  t.strictSame(new Set(seen.map((one) => echoed(one).fields.OIDC_access_token)), new Set(['access token 1']))
  t.strictSame(provider.refreshed, ['the refresh token'])
})

t.test('a user keeps the old token if the provider refuses a refresh, and the provider is not asked again at once', async (t) => {
  const { browser, provider, server } = await world(t, { section: REFRESH })
  provider.expiresIn = 50
  await browser.login(provider)
  provider.instead = (path, response) => {
    if (path !== '/token') return false
    response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"invalid_grant"}')
    return true
  }
  const before = provider.asked.length
  for (let index = 0; index < 3; index++) {
    t.match(echoed(await browser.get('/echo')).fields, { OIDC_access_token: 'the access token' })
  }
  t.strictSame(provider.asked.slice(before), ['/token'])
  t.match(
    moduleLog(server, 'auth_openidc').join('\n'),
    /the access token of alice@\S+ was not refreshed: the token endpoint answered invalid_grant/,
  )
})

t.test('logout_on_error ends a session whose token cannot be refreshed', async (t) => {
  const { browser, provider } = await world(t, { section: `${REFRESH} logout_on_error` })
  provider.expiresIn = 50
  await browser.login(provider)
  provider.refreshed.push('used by somebody else')
  t.match(await browser.get('/echo'), { status: 302, location: new RegExp(`^${provider.url}/authorize`) })
  t.match(await browser.get('/echo', { 'Sec-Fetch-Mode': 'cors' }), { status: 401 })
})

t.test('a new ID token must be one of the same user, with a valid signature', async (t) => {
  const { browser, provider } = await world(t, { section: `${REFRESH} logout_on_error` })
  const claims = (sub: string) => ({ iss: provider.url, sub, aud: 'web', exp: Date.now() / 1_000 + 600, iat: Date.now() / 1_000 })
  provider.expiresIn = 50
  await browser.login(provider)
  provider.refreshResponse = async () => ({ id_token: await provider.sign({ ...claims('alice'), groups: ['new'] }) })
  t.match(echoed(await browser.get('/echo')).fields, { OIDC_CLAIM_groups: 'new', OIDC_CLAIM_sub: 'alice' })
  for (const [what, token] of [
    ['another user', () => provider.sign(claims('mallory'))],
    ['another key', () => provider.sign(claims('alice'), {}, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)],
    ['another issuer', () => provider.sign({ ...claims('alice'), iss: 'https://other.example' })],
    ['another client', () => provider.sign({ ...claims('alice'), aud: 'other' })],
  ] as const) {
    browser.cookies.clear()
    provider.refreshed.length = 0
    await browser.login(provider)
    provider.refreshResponse = async () => ({ id_token: await token() })
    t.match(await browser.get('/echo'), { status: 302 }, `${what}: the session ends`)
  }
})

t.test('a session that is ended while its token is refreshed stays ended', async (t) => {
  const { browser, provider } = await world(t, { section: REFRESH })
  provider.expiresIn = 50
  await browser.login(provider)
  const cookies = new Map(browser.cookies)
  let go = (): void => undefined
  provider.refreshResponse = () => new Promise((resolve) => (go = () => resolve({})))
  const waiting = browser.get('/echo')
  while (provider.refreshed.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await browser.get('/callback?logout=')
  go()
  t.match(await waiting, { status: 302 })
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  t.match(await browser.get('/echo'), { status: 302 })
})

t.test('a script that knows the access token can have it refreshed', async (t) => {
  const { browser, provider } = await world(t, { lines: 'OIDCInfoHook access_token' })
  await browser.login(provider)
  const ask = (query: string) => browser.get(`/callback?${query}`)
  t.match(await ask('refresh=/f.txt'), { status: 302, location: 'http://localhost/f.txt?error_code=no_access_token' })
  t.match(await ask('refresh=/f.txt&access_token=x'), { location: 'http://localhost/f.txt?error_code=no_access_token_match' })
  t.match(await ask('refresh=https://evil.example/&access_token=the+access+token'), { status: 400 })
  t.strictSame(provider.refreshed, [])
  t.match(await ask('refresh=/f.txt&access_token=the+access+token'), { status: 302, location: 'http://localhost/f.txt' })
  t.match(JSON.parse((await ask('info=json')).body), { access_token: 'access token 1' })
  provider.refreshed.push('used by somebody else')
  t.match(await ask('refresh=/f.txt&access_token=access+token+1'), {
    location: 'http://localhost/f.txt?error_code=refresh_failed',
  })
  browser.cookies.clear()
  t.match(await ask('refresh=/f.txt&access_token=x'), { location: 'http://localhost/f.txt?error_code=no_access_token_exists' })
})

t.test('a logout revokes the tokens, by the endpoint of the metadata or of the directive', async (t) => {
  for (const lines of ['', 'OIDCProviderRevocationEndpoint @PROVIDER@/revoke']) {
    const { browser, provider } = await world(t, { lines })
    if (lines === '') provider.metadata = { revocation_endpoint: `${provider.url}/revoke` }
    await browser.login(provider)
    t.match(await browser.get('/callback?logout='), { status: 200, body: /Logged out/ })
    t.strictSame(provider.revoked, ['refresh_token: the refresh token', 'access_token: the access token'])
  }
})

t.test('a logout succeeds if the provider does not revoke the tokens', async (t) => {
  const { browser, provider, server } = await world(t, { lines: 'OIDCProviderRevocationEndpoint @PROVIDER@/gone' })
  await browser.login(provider)
  t.match(await browser.get('/callback?logout='), { status: 200, body: /Logged out/ })
  t.match(moduleLog(server, 'auth_openidc').join('\n'), /a token of alice@\S+ was not revoked/)
  t.match(await browser.get('/f.txt'), { status: 302 })
})

t.test('a client proves by its private key who it is, and publishes the public half', async (t) => {
  const { browser, provider } = await world(t, {
    lines: 'OIDCProviderTokenEndpointAuth private_key_jwt\nOIDCPrivateKeyFiles "one#@ROOT@/conf/key.pem"',
    files: { 'conf/key.pem': RSA.privateKey.export(PEM).toString() },
  })
  t.match(await browser.login(provider), { status: 302, location: 'http://localhost/f.txt' })
  const { authorization, form } = provider.lastToken ?? { authorization: '', form: new URLSearchParams() }
  t.equal(authorization, '', 'no secret is sent')
  t.equal(form.get('client_assertion_type'), 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
  const [key] = JSON.parse((await browser.get('/callback?jwks=rsa')).body).keys
  t.match(key, { kty: 'RSA', kid: 'one', use: 'sig', alg: 'RS256' })
  t.notOk('d' in key, 'nothing of the private half')
  const assertion = form.get('client_assertion') ?? ''
  t.match(decodeProtectedHeader(assertion), { alg: 'RS256', kid: 'one' })
  const { payload } = await jwtVerify(assertion, await importJWK(key), { audience: `${provider.url}/token`, issuer: 'web' })
  t.match(payload, { sub: 'web', jti: String })
})

t.test('keys that cannot sign are refused at the start', async (t) => {
  const pem = {
    'short.pem': generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(PEM).toString(),
    'curve.pem': generateKeyPairSync('ed25519').privateKey.export(PEM).toString(),
    'public.pem': RSA.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
  for (const [name, why] of [
    ['short.pem', /must be RSA with at least 2048 bits/],
    ['curve.pem', /must be RSA with at least 2048 bits, or EC/],
    ['public.pem', /is not a private key in PEM/],
    ['missing.pem', /cannot read/],
  ] as const) {
    const files = Object.fromEntries(Object.entries(pem).map(([file, text]) => [`conf/${file}`, text]))
    await t.rejects(world(t, { lines: `OIDCPrivateKeyFiles "@ROOT@/conf/${name}"`, files }), { message: why })
  }
})

t.test('a key without a name has the one that mod_auth_openidc gives to it', async (t) => {
  // Of apache2 with libapache2-mod-auth-openidc 2.4.12.3, at ?jwks=rsa.
  const { browser } = await world(t, {
    lines: 'OIDCPrivateKeyFiles "@ROOT@/conf/key.pem"',
    files: { 'conf/key.pem': readFileSync(join(import.meta.dirname, 'client-key.pem'), 'utf8') },
  })
  t.match(JSON.parse((await browser.get('/callback?jwks=rsa')).body), {
    keys: [{ kid: 'dnmy6RamJNFr2ND2umtRIW4vi547dG1gZWNsS8DdF_8' }],
  })
})
