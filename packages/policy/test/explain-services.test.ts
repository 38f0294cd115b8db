import { createServer, type RequestListener } from 'node:http'
import authBearer from 'mod_auth_bearer'
import authForward from 'mod_auth_forward'
import authOpenId from 'mod_auth_openidc'
import requestRate from 'mod_request_rate'
import t, { type Test } from 'tap'
import type { Explanation } from '../src/index.ts'
import { PolicySite, type PolicySiteOptions } from './support/policy-site.ts'

t.setTimeout(600_000)

/** A service that counts its requests. */
async function service(t: Test, answer: RequestListener): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`, asked }
}

const FORWARD = (url: string): string => `<Location />
AuthType Forward
AuthForwardURL ${url}/verify
AuthForwardCache 60
Require forward
</Location>`

t.test('the service of a forward authentication is asked, and its answer decides; offline it is not', async (t) => {
  const { url, asked } = await service(t, (request, response) =>
    response.writeHead(request.headers['x-forwarded-uri'] === '/f.txt' ? 200 : 403, { 'Remote-User': 'alice' }).end(),
  )
  const ask = (reach: PolicySiteOptions['reach'], target: string): Promise<Explanation> =>
    new PolicySite(t, { config: FORWARD(url), modules: [authForward], reach }).explain({ target })
  const granted = await ask('online', '/f.txt')
  t.match(granted.asked, [{ of: `the service ${url}/verify`, question: /^GET http:\/\/.*\/f\.txt$/, answer: 'status 200' }])
  t.ok([200, 404].includes(granted.status), `${granted.status}`)
  t.equal((await ask('online', '/other')).status, 403)
  const before = asked.length
  t.ok(before >= 2)
  const offline = await ask('offline', '/f.txt')
  t.match(offline, { status: 401, asked: [{ of: `the service ${url}/verify`, answer: null }] })
  t.equal(asked.length, before, 'nobody is asked')
  const away = await new PolicySite(t, { config: FORWARD('http://127.0.0.1:1'), modules: [authForward] }).explain({
    target: '/f.txt',
  })
  t.match(away, { status: 500, asked: [{ answer: /^failed: / }] })
})

t.test('the keys of an issuer are fetched for a token, and not offline', async (t) => {
  const { url, asked } = await service(t, (_request, response) => response.end('{"keys":[]}'))
  const config = `<Location />
AuthType Bearer
AuthBearerKeys ${url}/keys
AuthBearerAlgorithms ES256
AuthBearerIssuer https://issuer.example
AuthBearerAudience api
Require valid-user
</Location>`
  const ask = (reach: PolicySiteOptions['reach'], token: string | null): Promise<Explanation> =>
    new PolicySite(t, { config, modules: [authBearer], reach }).explain({
      headers: token === null ? [] : [['Authorization', `Bearer ${token}`]],
    })
  t.match(await ask('online', null), { status: 401, asked: [] })
  t.match(await ask('online', 'a.b.c'), {
    status: 503,
    asked: [{ of: 'the issuer https://issuer.example', question: `the keys at ${url}/keys`, answer: /unavailable/ }],
  })
  t.same(asked, ['/keys'])
  const offline = await ask('offline', 'a.b.c')
  t.match(offline, { status: 401, asked: [{ answer: null }] })
  t.notMatch(JSON.stringify(offline.asked), 'a.b.c', 'no token is shown')
  t.equal(asked.length, 1)
})

t.test('a rate that machines share is looked up without counting, and not offline', async (t) => {
  const config = '<Location />\nRequestRate 1r/h shared\nRequire all granted\n</Location>'
  const site = new PolicySite(t, { config, modules: [requestRate] })
  for (let round = 0; round < 3; round++) {
    t.match(await site.explain({}), {
      asked: [{ of: 'the shared cache', question: /^the rate of .*:\d+ for /, answer: 'within the rate' }],
    })
  }
  const offline = await new PolicySite(t, { config, modules: [requestRate], reach: 'offline' }).explain({})
  t.match(offline.asked, [{ of: 'the shared cache', answer: null }])
})

t.test('a rate is shown with the key for which it counts a request', async (t) => {
  const config = '<Location />\nRequestRate 1r/h burst=2\nRequire all granted\n</Location>'
  const explained = JSON.stringify(await new PolicySite(t, { config, modules: [requestRate] }).explain({}))
  t.match(explained, /counts the request for 127\.0\.0\.1: 1r\/h burst=2/)
})

t.test('a login at an OpenID Connect provider is named, and the provider is never asked', async (t) => {
  const { url, asked } = await service(t, (_request, response) => response.end())
  const config = `OIDCProviderMetadataURL ${url}/.well-known/openid-configuration
OIDCClientID web
OIDCRedirectURI /callback
OIDCCryptoPassphrase "a passphrase of enough letters"
<Location />
AuthType openid-connect
Require valid-user
</Location>`
  for (const reach of ['online', 'offline'] as const) {
    const site = new PolicySite(t, { config, modules: [authOpenId], reach })
    const explained = await site.explain({ target: '/f.txt' })
    t.equal(explained.status, 401)
    t.match(JSON.stringify(explained), /would look for a session and send clients without one to the provider/)
    t.match(JSON.stringify(await site.explain({ target: '/callback?code=a&state=b' })), /serves the way back from the provider/)
  }
  t.same(asked, [])
})
