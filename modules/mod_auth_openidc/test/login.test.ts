import t from 'tap'
import { echoed, world } from './world.ts'

t.setTimeout(600_000)

t.test('a client without a session is sent to the provider, and comes back to its page', async (t) => {
  const { browser, provider } = await world(t)
  const sent = await browser.get('/f.txt?a=b%20c&d')
  t.equal(sent.status, 302)
  const url = new URL(sent.location)
  t.equal(url.origin + url.pathname, `${provider.url}/authorize`)
  t.match(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    scope: 'openid',
    client_id: 'web',
    redirect_uri: 'http://localhost/callback',
    code_challenge_method: 'S256',
    nonce: /^[\w-]{43}$/,
  })
  t.equal(sent.header('Cache-Control'), 'no-cache, no-store, max-age=0')
  const back = await browser.back(await provider.login(sent.location))
  t.match(back, { status: 302, location: 'http://localhost/f.txt?a=b%20c&d' })
  t.match(await browser.get('/f.txt?a=b%20c&d'), { status: 200, body: 'text' })
  t.equal(provider.lastToken?.authorization, `Basic ${Buffer.from('web:secret+of+the+client').toString('base64')}`)
})

t.test('pages get the user and the claims in fields and variables', async (t) => {
  const { browser, provider } = await world(t)
  provider.claims = { groups: ['a', 'b'], admin: true, age: 42, nested: { role: 'x' } }
  await browser.login(provider)
  const { user, fields, env } = echoed(await browser.get('/echo'))
  const claims = {
    OIDC_CLAIM_sub: 'alice',
    OIDC_CLAIM_email: 'alice@example.org',
    OIDC_CLAIM_groups: 'a,b',
    OIDC_CLAIM_admin: '1',
    OIDC_CLAIM_age: '42',
    OIDC_CLAIM_nested: '{"role":"x"}',
    OIDC_access_token: 'the access token',
  }
  t.equal(user, `alice@${provider.url}`)
  t.match(fields, claims)
  t.match(env, claims)
  t.equal(Buffer.from(fields.OIDC_CLAIM_name ?? '', 'latin1').toString(), 'Älice')
  t.notOk('OIDC_refresh_token' in fields)
})
