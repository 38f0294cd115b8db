import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { site } from '@gatewright/testing'
import authOpenId from 'mod_auth_openidc'
import authnCore from 'mod_authn_core'
import authzCore from 'mod_authz_core'
import Provider from 'oidc-provider'
import t, { type Test } from 'tap'
import { Chromium, findChromium, type Page } from './chromium.ts'

const program = findChromium()
const CLIENT = 'web'
const SECRET = 'a secret with blanks, ~ and %'

interface Site {
  readonly issuer: string
  readonly page: Page
  readonly url: string
}

/** oidc-provider of npm, with its own pages for logins. */
async function openIdSite(t: Test): Promise<Site> {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const server = await site({
    modules: [authnCore, authzCore, authOpenId],
    config: `OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${CLIENT}
OIDCClientSecret "${SECRET}"
OIDCRedirectURI /callback
OIDCCryptoPassphrase "a passphrase of enough letters"
OIDCScope "openid email offline_access"
OIDCAuthRequestParams prompt=consent
OIDCInfoHook access_token userinfo
<Location "/">
AuthType openid-connect
Require claim email:alice@example.org
OIDCRefreshAccessTokenBeforeExpiry 2
</Location>`,
    files: { 'docs/page.html': '<title>Page</title><h1>The protected page</h1>' },
  })
  const url = `http://127.0.0.1:${await server.listen()}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT,
        client_secret: SECRET,
        redirect_uris: [`${url}/callback`],
        post_logout_redirect_uris: [`${url}/page.html`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub'], email: ['email'] },
    features: { revocation: { enabled: true }, rpInitiatedLogout: { enabled: true } },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@example.org` }) }),
    pkce: { required: () => true },
    ttl: { AccessToken: 4, RefreshToken: 600, IdToken: 600, Grant: 600, Session: 600, Interaction: 600 },
  })
  const answer = provider.callback()
  http.on('request', (request, response) => void answer(request, response))
  const browser = await Chromium.start(program ?? '')
  t.teardown(async () => {
    await browser.close()
    await server.close()
    http.closeAllConnections()
    http.close()
  })
  return { issuer, page: await browser.open(), url }
}

/** Waits until an expression is true, also while pages are left for others; the limit is that of the test. */
async function until(page: Page, condition: string): Promise<void> {
  while ((await page.evaluate(condition).catch(() => false)) !== true) await pause(50)
}

/** Fills in the forms of the provider until the page is there. */
async function logIn(page: Page): Promise<void> {
  await until(
    page,
    `(() => {
      if (document.readyState !== 'complete') return false
      if (document.title === 'Page') return true
      const login = document.querySelector('input[name=login]')
      if (login !== null) login.value = 'alice'
      const password = document.querySelector('input[name=password]')
      if (password !== null) password.value = 'any'
      document.querySelector('form button[type=submit], form .login-submit')?.click()
      return false
    })()`,
  )
}

function accessToken(page: Page): Promise<unknown> {
  return page.evaluate("fetch('/callback?info=json', { cache: 'no-store' }).then((r) => r.json()).then((d) => d.access_token)")
}

async function statusOfUserInfo(issuer: string, token: unknown): Promise<number> {
  const response = await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${token}` } })
  await response.body?.cancel()
  return response.status
}

t.test('a login at oidc-provider', { skip: program === null && 'no chromium is installed', timeout: 120_000 }, async (t) => {
  const { page, url, issuer } = await openIdSite(t)
  await page.visit(`${url}/page.html?x=1`)
  t.equal(await page.evaluate('location.origin'), issuer)
  await logIn(page)
  t.equal(await page.evaluate('location.href'), `${url}/page.html?x=1`)
  t.match(await page.evaluate("fetch('/callback?info=json').then((r) => r.json()).then((d) => d.userinfo)"), {
    email: 'alice@example.org',
  })
  const tokens = new Set([await accessToken(page)])
  while (tokens.size < 3) {
    await pause(300)
    t.equal(await page.evaluate("fetch('/page.html', { cache: 'no-store' }).then((r) => r.status)"), 200)
    tokens.add(await accessToken(page))
  }
  const last = [...tokens].at(-1)
  t.equal(await statusOfUserInfo(issuer, last), 200)
  await page.visit(`${url}/callback?logout=${encodeURIComponent(`${url}/page.html`)}`)
  t.equal(await statusOfUserInfo(issuer, last), 401, 'a logout revokes the token')
  t.equal(await page.evaluate('location.origin'), issuer, 'the provider asks whether its session should end, too')
})
