import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { buildSite } from '../../build/site/build-site.ts'
import { accessibilityFaults } from './accessibility.ts'
import { Chromium, findChromium } from './chromium.ts'

const program = findChromium()
const STAGED = join(import.meta.dirname, '../../dist')
const PAGES = ['index.html', 'directives.html', 'modules/mod_authz_core.html', 'api/Request.html', 'docs/operating/metrics.html']

t.test('the site of the documentation', { skip: program === null && 'no chromium is installed', timeout: 900_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-site-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  await buildSite(folder, STAGED)
  const browser = await Chromium.start(program ?? '')
  t.teardown(() => browser.close())
  const page = await browser.open()
  const at = (path: string): string => `file://${join(folder, path)}`

  t.test('finds directives without a server, with the keyboard alone', async (t) => {
    await page.resize(1400, 900)
    await page.visit(at('docs/operating/index.html'))
    await page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))")
    t.equal(await page.evaluate('document.activeElement.id'), 'search')
    await page.evaluate("(search.value = 'RequireAny', search.dispatchEvent(new Event('input')))")
    await page.until("document.querySelectorAll('#results [role=option]').length > 0")
    t.equal(await page.evaluate("document.querySelector('#results .title').textContent"), '<RequireAny')
    await page.evaluate("search.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))")
    t.equal(await page.evaluate("search.getAttribute('aria-activedescendant')"), 'result-0')
    await page.evaluate("search.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))")
    await page.until("location.hash === '#directive-requireany'")
    t.match(await page.evaluate('location.pathname'), /\/modules\/mod_authz_core\.html$/)
    t.same(page.complaints, [])
  })

  t.test('keeps the last column of a wide table legible on narrow screens', async (t) => {
    await page.resize(400, 900)
    await page.visit(at('docs/core-directives.html'))
    const widths = "[...document.querySelectorAll('.table td:nth-child(3):last-child')].map((cell) => cell.offsetWidth)"
    t.ok(Number(await page.evaluate(`Math.min(...${widths})`)) >= 200)
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 400)
  })

  for (const width of [400, 1400]) {
    for (const scheme of ['light', 'dark'] as const) {
      t.test(`fits ${width} pixels and is accessible in the ${scheme} mode`, async (t) => {
        await page.resize(width, 900)
        await page.prefer(scheme)
        for (const path of PAGES) {
          await page.visit(at(path))
          t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, path)
          t.strictSame(await accessibilityFaults(page), [], path)
        }
      })
    }
  }
})
