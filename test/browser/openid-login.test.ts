import { setTimeout as pause } from 'node:timers/promises'
import { site } from '@gatewright/testing'
import authOpenId from 'mod_auth_openidc'
import authnCore from 'mod_authn_core'
import authzCore from 'mod_authz_core'
import t, { type Test } from 'tap'
import { TestProvider } from '../../modules/mod_auth_openidc/test/test-provider.ts'
import { Chromium, findChromium, type Page } from './chromium.ts'

const program = findChromium()

interface Site {
  readonly provider: TestProvider
  readonly page: Page
  readonly url: string
}

async function openIdSite(t: Test): Promise<Site> {
  const provider = new TestProvider()
  provider.showsForm = true
  await provider.start()
  const server = await site({
    modules: [authnCore, authzCore, authOpenId],
    config: `OIDCProviderMetadataURL ${provider.url}/.well-known/openid-configuration
OIDCClientID web
OIDCClientSecret secret
OIDCRedirectURI /callback
OIDCCryptoPassphrase "a passphrase of enough letters"
<Location "/">
AuthType openid-connect
Require claim sub:alice
</Location>
<Location "/bob.html">
Require claim sub:bob
</Location>`,
    files: { 'docs/page.html': '<title>Page</title><h1>The protected page</h1>', 'docs/bob.html': 'for bob' },
  })
  const port = await server.listen()
  const browser = await Chromium.start(program ?? '')
  t.teardown(async () => {
    await browser.close()
    await server.close()
    await provider.stop()
  })
  return { provider, page: await browser.open(), url: `http://127.0.0.1:${port}` }
}

/** Waits for a page, also while others are left for it; the limit is that of the test. */
async function arrivesAt(page: Page, title: string): Promise<void> {
  const condition = `document.readyState === 'complete' && document.title === '${title}'`
  // What is evaluated in a page ends with it.
  while ((await page.evaluate(condition).catch(() => false)) !== true) await pause(50)
}

/** Presses the button of the provider, and waits for the page. */
async function logIn(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('button').click()")
  await arrivesAt(page, 'Page')
}

t.test('a login in Chromium', { skip: program === null && 'no chromium is installed', timeout: 120_000 }, async (t) => {
  t.test('leads to the provider, back to the page, and ends with a logout', async (t) => {
    const { page, provider, url } = await openIdSite(t)
    await page.visit(`${url}/page.html?x=1`)
    t.equal(await page.evaluate('document.title'), 'Provider')
    await logIn(page)
    t.equal(await page.evaluate('location.href'), `${url}/page.html?x=1`)
    t.equal(await page.evaluate('document.cookie'), '', 'scripts see no cookie')
    t.match(await page.evaluate("fetch('/bob.html', { cache: 'no-store' }).then(({ status }) => status)"), 401)
    t.match(await page.evaluate("fetch('/page.html', { cache: 'no-store' }).then(({ status }) => status)"), 200)
    await page.visit(`${url}/callback?logout=`)
    t.equal(await page.evaluate('document.body.innerText'), 'Logged out\n\nYou are logged out.')
    t.equal(
      await page.evaluate("fetch('/page.html', { cache: 'no-store' }).then(({ status }) => status)"),
      401,
      'a script is not sent to the provider',
    )
    await page.visit(`${url}/page.html?again`)
    t.equal(await page.evaluate('location.origin'), provider.url)
  })

  t.test('begins again after the back button and after a login that was left alone', async (t) => {
    const { page, url } = await openIdSite(t)
    await page.visit(`${url}/page.html?first`)
    await page.visit(`${url}/page.html?second`)
    await logIn(page)
    t.equal(await page.evaluate('location.search'), '?second')
    await page.evaluate('history.back()')
    await arrivesAt(page, 'Provider')
    await logIn(page)
    t.match(await page.evaluate('location.pathname'), '/page.html')
  })
})
