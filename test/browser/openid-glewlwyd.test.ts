import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { site } from '@gatewright/testing'
import authOpenId from 'mod_auth_openidc'
import authnCore from 'mod_authn_core'
import authzCore from 'mod_authz_core'
import t, { type Test } from 'tap'
import { Chromium, findChromium, type Page } from './chromium.ts'
import { CLIENT, Glewlwyd, isGlewlwydInstalled, USER } from './glewlwyd.ts'

const program = findChromium()
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 })

interface Site {
  readonly provider: Glewlwyd
  readonly page: Page
  readonly url: string
}

interface Options {
  /** How the client proves who it is. */
  readonly auth: 'client_secret_basic' | 'private_key_jwt'
  /** For how long access tokens are valid. */
  readonly seconds?: number
  /** More lines of the section. */
  readonly section?: string
}

async function openIdSite(t: Test, { auth, seconds = 3600, section = '' }: Options): Promise<Site> {
  const provider = await Glewlwyd.start(seconds)
  t.teardown(() => provider.stop())
  const server = await site({
    modules: [authnCore, authzCore, authOpenId],
    config: `OIDCProviderMetadataURL ${provider.issuer}/.well-known/openid-configuration
OIDCClientID ${CLIENT.id}
OIDCClientSecret "${CLIENT.secret}"
OIDCPrivateKeyFiles "@ROOT@/conf/key.pem"
OIDCProviderTokenEndpointAuth ${auth}
OIDCRedirectURI /callback
OIDCCryptoPassphrase "a passphrase of enough letters"
OIDCInfoHook access_token id_token userinfo
<Location "/">
AuthType openid-connect
Require claim nick:Alice
${section}
</Location>`,
    files: {
      'docs/page.html': '<title>Page</title><h1>The protected page</h1>',
      'conf/key.pem': String(KEYS.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    },
  })
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${await server.listen()}`
  const publicKey = auth === 'private_key_jwt' ? String(KEYS.publicKey.export({ type: 'spki', format: 'pem' })) : undefined
  await provider.register(`${url}/callback`, publicKey)
  const browser = await Chromium.start(program ?? '')
  t.teardown(() => browser.close())
  return { provider, page: await browser.open(), url }
}

/** Waits until an expression is true, also while pages are left for others; the limit is that of the test. */
async function until(page: Page, condition: string): Promise<void> {
  while ((await page.evaluate(condition).catch(() => false)) !== true) await pause(50)
}

/** Fills in the form of the provider, and confirms what it asks until the page is there. */
async function logIn(page: Page): Promise<void> {
  await until(page, "document.getElementById('password') !== null")
  await page.evaluate(`for (const [id, text] of ${JSON.stringify([
    ['username', USER.name],
    ['password', USER.password],
  ])}) {
    const field = document.getElementById(id)
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  document.getElementById('loginbut').click()`)
  await until(
    page,
    `(() => {
      if (document.readyState === 'complete' && document.title === 'Page') return true
      document.querySelector('button.btn-success')?.click()
      return false
    })()`,
  )
}

/** The data of the session. */
function session(page: Page): Promise<unknown> {
  return page.evaluate("fetch('/callback?info=json', { cache: 'no-store' }).then((answer) => answer.json())")
}

function tokenOf(info: unknown): string {
  return typeof info === 'object' && info !== null && 'access_token' in info ? String(info.access_token) : ''
}

const isMissing = program === null || !isGlewlwydInstalled()

t.test('a login at Glewlwyd', { skip: isMissing && 'no chromium or no glewlwyd is installed', timeout: 180_000 }, async (t) => {
  for (const auth of ['client_secret_basic', 'private_key_jwt'] as const) {
    t.test(`leads back to the page with the claims of the user (${auth})`, async (t) => {
      const { page, url, provider } = await openIdSite(t, { auth })
      await page.visit(`${url}/page.html?x=1`)
      await logIn(page)
      t.equal(await page.evaluate('location.href'), `${url}/page.html?x=1`)
      const info = await session(page)
      t.match(info, { id_token: { iss: provider.issuer, aud: CLIENT.id }, userinfo: { nick: 'Alice' } })
      const token = tokenOf(info)
      t.equal(await statusOfUserInfo(provider, token), 200, 'the token is valid')
      await page.visit(`${url}/callback?logout=`)
      // At its revocation endpoint, this provider knows clients by secrets only, as its metadata say.
      if (auth === 'client_secret_basic') t.equal(await statusOfUserInfo(provider, token), 401, 'a logout revokes it')
      await page.visit(`${url}/page.html?again`)
      t.equal(await page.evaluate('location.origin'), provider.url)
    })
  }

  t.test('gets new tokens by refresh tokens that are taken once', async (t) => {
    const { page, url } = await openIdSite(t, {
      auth: 'client_secret_basic',
      seconds: 5,
      section: 'OIDCRefreshAccessTokenBeforeExpiry 4',
    })
    await page.visit(`${url}/page.html`)
    await logIn(page)
    const tokens = new Set([tokenOf(await session(page))])
    while (tokens.size < 3) {
      await pause(500)
      const status = await page.evaluate("fetch('/page.html', { cache: 'no-store' }).then(({ status }) => status)")
      if (status !== 200) throw new Error(`the page answered ${status}`)
      tokens.add(tokenOf(await session(page)))
    }
    t.notOk(tokens.has(''))
  })
})

async function statusOfUserInfo({ issuer }: Glewlwyd, token: string): Promise<number> {
  const response = await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })
  await response.body?.cancel()
  return response.status
}
