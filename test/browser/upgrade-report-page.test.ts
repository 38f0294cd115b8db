import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { gatewright } from '../fixtures/gatewright.ts'
import { oldServer } from '../fixtures/old-server.ts'
import { accessibilityFaults } from './accessibility.ts'
import { Chromium, findChromium, type Page } from './chromium.ts'

const program = findChromium()

interface Site {
  readonly page: Page
  readonly url: string
}

/** The page about an old server, with additional lines in its configuration. */
async function site(t: Test, ...lines: readonly string[]): Promise<Site> {
  const root = oldServer(t, 'redhat')
  const file = join(root, 'conf/httpd.conf')
  writeFileSync(join(root, 'conf.d/more.conf'), lines.join('\n'))
  const html = join(root, 'report.html')
  await gatewright(['upgrade-report', '--html', html, file])
  const browser = await Chromium.start(program ?? '')
  t.teardown(() => browser.close())
  return { page: await browser.open(), url: pathToFileURL(html).href }
}

t.test('the page of an upgrade report', { skip: program === null && 'no chromium is installed', timeout: 900_000 }, async (t) => {
  t.test('fits windows of any width, and requests nothing else', async (t) => {
    const { page, url } = await site(t, `Strange /${'long'.repeat(60)} /srv/${'x'.repeat(200)}`)
    for (const width of [400, 1400]) {
      await page.resize(width, 900)
      await page.visit(url)
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
      t.strictSame(await accessibilityFaults(page), [])
    }
    t.strictSame(await page.evaluate("performance.getEntriesByType('resource').length"), 0)
    t.strictSame(page.complaints, [])
  })

  t.test("follows the reader's colour scheme, and is legible in both", async (t) => {
    const { page, url } = await site(t)
    await page.visit(url)
    const contrasts = `[...document.querySelectorAll('h1, p, b, ins, del, small, summary, a, dd, dt, li, article code')].map((one) => {
      const light = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      let behind = one
      while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement
      const [high, low] = [light(getComputedStyle(one).color), light(getComputedStyle(behind).backgroundColor)].sort((a, b) => b - a)
      return (high + 0.05) / (low + 0.05)
    })`
    for (const scheme of ['light', 'dark'] as const) {
      await page.prefer(scheme)
      const brightness = await page.evaluate('Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])')
      t.equal(Number(brightness) > 128, scheme === 'light')
      t.ok(Number(await page.evaluate(`Math.min(...${contrasts})`)) >= 4.5, `${scheme}: the contrast that WCAG 2.2 wants of text`)
    }
  })

  t.test('works where scripts are forbidden, and a configuration cannot bring one in', async (t) => {
    const { page, url } = await site(
      t,
      'Strange <script>document.title="gone"</script> "\'><img src=x onerror=document.title=1>"',
    )
    await page.visit(url)
    t.match(await page.evaluate('document.title'), /^Upgrade report: /)
    t.equal(await page.evaluate("document.querySelectorAll('script, img').length"), 0)
    t.match(await page.evaluate('document.body.textContent'), '<script>document.title="gone"</script>')
    await page.send('Emulation.setScriptExecutionDisabled', { value: true })
    await page.visit(url)
    const opened = "(document.querySelector('details summary').click(), document.querySelector('details').open)"
    t.equal(await page.evaluate(opened), true)
  })

  t.test('shows on paper what is folded away', async (t) => {
    const { page, url } = await site(t)
    await page.visit(url)
    const seen = "document.querySelector('details.know .rows').checkVisibility()"
    t.equal(await page.evaluate(seen), false)
    await page.send('Emulation.setEmulatedMedia', { media: 'print' })
    t.equal(await page.evaluate(seen), true)
  })
})
