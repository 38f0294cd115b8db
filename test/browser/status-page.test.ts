import t, { type Test } from 'tap'
import { StagedServer } from '../fixtures/staged-server.ts'
import { accessibilityFaults } from './accessibility.ts'
import { Chromium, findChromium, type Page } from './chromium.ts'

const program = findChromium()

const CONFIGURATION = [
  'LoadModule authz_core_module modules/mod_authz_core.so',
  'LoadModule authz_host_module modules/mod_authz_host.so',
  'LoadModule status_module modules/mod_status.so',
  '<Location "/server-status">',
  '  SetHandler server-status',
  '</Location>',
  '<Location "/denied">',
  '  Require ip 192.0.2.1',
  '</Location>',
]

/** mod_ssl adds a table with colours of its own, which are httpd's. */
const SESSION_CACHE = [
  'LoadModule socache_shmcb_module modules/mod_socache_shmcb.so',
  'LoadModule ssl_module modules/mod_ssl.so',
  'SSLSessionCache shmcb:logs/sessions(512000)',
  'ExtendedStatus On',
]

interface Site {
  readonly server: StagedServer
  readonly page: Page
  readonly url: string
}

async function site(t: Test, ...lines: readonly string[]): Promise<Site> {
  const server = await StagedServer.make(t)
  server.configure(...CONFIGURATION, ...lines)
  server.file('htdocs/index.html', 'hello')
  await server.start()
  const browser = await Chromium.start(program ?? '')
  t.teardown(() => browser.close())
  return { server, page: await browser.open(), url: `http://127.0.0.1:${server.port}/server-status` }
}

/** Text of a figure above the charts. */
const tile = (name: string): string =>
  `[...document.querySelectorAll('.tiles > div')].find((one) => one.querySelector('dt').textContent === '${name}').querySelector('b').textContent`

t.test('the status page', { skip: program === null && 'no chromium is installed', timeout: 900_000 }, async (t) => {
  t.test('draws what happens, and has nothing to complain about', async (t) => {
    const { server, page, url } = await site(t)
    await page.resize(1400, 1000)
    await page.visit(url)
    t.equal(
      await page.evaluate("document.querySelector('h1').nextElementSibling.className"),
      'live',
      'the figures stand under the heading',
    )
    for (let visit = 0; visit < 20; visit++) await server.get('/denied')
    await page.until(`Number(${tile('Requests/s')}) > 1`)
    await page.until(
      "document.querySelectorAll('.area').length > 0 && [...document.querySelectorAll('.area.red')].some((area) => area.getAttribute('d') !== '')",
    )
    t.match(await page.evaluate("document.querySelector('.tables').textContent"), 'deniedipauthz_core:AH0163020')
    t.match(
      await page.evaluate("document.querySelector('svg').getAttribute('aria-label')"),
      /^Requests per second over two minutes; now: 2xx/,
    )
    t.same(page.complaints, [])
  })

  t.test('fits windows of any width, and nothing moves when the first figures come', async (t) => {
    const { page, url } = await site(t)
    await page.send('Page.addScriptToEvaluateOnNewDocument', {
      source:
        "window.shifts = []; new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: 'layout-shift', buffered: true })",
    })
    for (const width of [400, 1400]) {
      await page.resize(width, 900)
      await page.visit(url)
      await page.until(`${tile('Requests/s')} !== '–'`)
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
      t.same(await page.evaluate('shifts'), [])
    }
  })

  t.test("follows the reader's colour scheme", async (t) => {
    const { page, url } = await site(t)
    const brightness = (scheme: 'light' | 'dark'): Promise<unknown> =>
      page.prefer(scheme).then(() => page.evaluate('Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])'))
    await page.visit(url)
    t.ok(Number(await brightness('light')) > 200)
    t.ok(Number(await brightness('dark')) < 60)
  })

  t.test("shows mod_ssl's table legibly in both modes, and scrolls wide tables with the keyboard", async (t) => {
    const { page, url } = await site(t, ...SESSION_CACHE)
    await page.resize(400, 900)
    for (const scheme of ['light', 'dark'] as const) {
      await page.prefer(scheme)
      await page.visit(url)
      t.match(await page.evaluate("document.querySelector('td[bgcolor] font').textContent"), 'SSL/TLS Session Cache Status')
      const ours = ['color-contrast', 'scrollable-region-focusable', 'html-has-lang']
      const faults = await accessibilityFaults(page)
      t.strictSame(
        faults.filter((fault) => ours.some((rule) => fault.startsWith(rule))),
        [],
        scheme,
      )
    }
  })

  t.test('reports that the server does not respond, and continues when it does', async (t) => {
    const { page, url } = await site(t)
    await page.visit(url)
    await page.send('Network.emulateNetworkConditions', {
      offline: true,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    await page.until("document.querySelector('.state').textContent.includes('No new figures: the server does not answer')")
    await page.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    await page.until("document.querySelector('.state').textContent.startsWith('Live, every 2 seconds')")
    await page.evaluate("document.querySelector('.live button').click()")
    t.match(await page.evaluate("document.querySelector('.state').textContent"), /^Paused.*Resume$/)
  })

  t.test("is httpd's page where scripts are forbidden", async (t) => {
    const { page, url } = await site(t)
    await page.send('Emulation.setScriptExecutionDisabled', { value: true })
    await page.visit(url)
    t.equal(await page.evaluate("document.querySelector('.live')"), null)
    t.match(
      await page.evaluate('document.body.innerText'),
      /^Apache Server Status for 127\.0\.0\.1 \(via 127\.0\.0\.1\)\s+Server Version: /,
    )
  })
})
