import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { type BuiltPlayground, buildPlayground } from '../../build/playground/build-playground.ts'
import { accessibilityFaults } from './accessibility.ts'
import { Chromium, findChromium, type Page } from './chromium.ts'

const program = findChromium()
/** A megabyte, which a slow line transmits in some seconds. */
const MOST_BYTES = 1_000_000

t.test('the playground', { skip: program === null && 'no chromium is installed', timeout: 600_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-playground-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const built: BuiltPlayground = await buildPlayground(folder)
  const browser = await Chromium.start(program ?? '')
  t.teardown(() => browser.close())
  const page = await browser.open()
  const address = `file://${built.file}`
  await page.resize(1400, 900)

  t.test('is one file that is small enough to be sent', async (t) => {
    t.ok(built.compressed < MOST_BYTES, `${built.compressed} bytes`)
  })

  t.test('answers the first example, and explains it as the command line does', async (t) => {
    await page.visit(address)
    await answered(page, '401 Unauthorized')
    t.match(await text(page, 'tree'), /^GET \/intern\/ from 192\.0\.2\.7 without credentials: 401 Unauthorized\n/)
    t.match(await text(page, 'tree'), /Require ip 10\.0\.0\.0\/8 {2}denied {2}httpd\.conf:16/)
    t.match(await text(page, 'tree'), /as ada: 200/)
    t.strictSame(page.complaints, [])
  })

  t.test('answers again when a request or a file changes', async (t) => {
    await fill(page, 'client', '10.1.2.3')
    await answered(page, '200 OK')
    await fill(
      page,
      'text',
      'ServerName www.example.org\nListen 80\nDocumentRoot "/var/www/html"\n<Location "/">\nRequire all denied\n</Location>\n',
    )
    await answered(page, '403 Forbidden')
    await page.evaluate(
      "[...document.querySelectorAll('#tree .place')].find((place) => place.textContent === 'httpd.conf:5').click()",
    )
    t.equal(await page.evaluate('text.value.slice(text.selectionStart, text.selectionEnd)'), 'Require all denied')
    t.equal(await page.evaluate('document.activeElement.id'), 'text')
  })

  t.test('shows long words without making the page wait', async (t) => {
    const began = Date.now()
    await fill(page, 'url', `/${'a'.repeat(4000)}?${'b'.repeat(4000)}`)
    await page.until("document.querySelector('#tree').textContent.includes('bbbb')")
    t.ok(Date.now() - began < 10_000)
    await fill(page, 'url', '/')
  })

  t.test('does not unpack a link without end', async (t) => {
    const bomb = `new Response(new Blob([new Uint8Array(64 * 1024 * 1024)]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer()`
    const text = "btoa(Array.from(new Uint8Array(packed), (byte) => String.fromCharCode(byte)).join(''))"
    await page.evaluate(
      `(async () => { const packed = await ${bomb}; location.hash = ${text}.replaceAll('+', '-').replaceAll('/', '_') })()`,
    )
    t.equal(await page.evaluate('text.value.length > 0'), true, 'the case that was there stays')
  })

  t.test('shows every line that does not load, and its number in the margin', async (t) => {
    await choose(page, 'A configuration with mistakes')
    await answered(page, 'The server would not start')
    await page.until("document.querySelectorAll('#gutter .error').length === 3")
    t.strictSame(await page.evaluate("[...document.querySelectorAll('#gutter .error')].map((line) => line.textContent)"), [
      '6',
      '7',
      '12',
    ])
    await page.until('/Illegal option Indexs/.test(found.textContent)')
  })

  t.test('checks passwords of the usual kinds', async (t) => {
    await choose(page, 'A .htaccess file with a password')
    await answered(page, '401 Unauthorized')
    await fill(page, 'user', 'ada')
    await fill(page, 'password', 'secret')
    await answered(page, '200 OK')
    await fill(page, 'password', 'guess')
    await answered(page, '401 Unauthorized')
    t.match(await text(page, 'tree'), /credentials that were sent are not accepted/)
  })

  t.test('rewrites rules of 2.2, and takes the new text', async (t) => {
    await choose(page, '2.2: Order, Allow, Deny and Satisfy')
    await answered(page, '200 OK')
    await page.until("document.querySelector('#migrated .plus') !== null")
    t.match(await text(page, 'migrated'), /-\s+Satisfy any/)
    await page.evaluate("document.querySelector('#migrated button').click()")
    await page.until("text.value.includes('Require ip 10.0.0.0/8')")
    await answered(page, '200 OK')
    t.notMatch(await page.evaluate('text.value'), /Satisfy/)
  })

  t.test('carries a case in its address to another page', async (t) => {
    await fill(page, 'url', '/old/reports/')
    await answered(page, '403 Forbidden')
    await page.until('location.hash.length > 100')
    const link = String(await page.evaluate('location.href'))
    const other = await browser.open()
    await other.visit(link)
    await answered(other, '403 Forbidden')
    t.equal(await other.evaluate('url.value'), '/old/reports/')
    const damaged = await browser.open()
    await damaged.visit(`${address}#damaged`)
    await answered(damaged, '401 Unauthorized')
    t.strictSame([...other.complaints, ...damaged.complaints], [])
  })

  t.test('may open no connection', async (t) => {
    const tries = [
      "fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')",
      "new Promise((resolve) => { const image = new Image(); image.onload = () => resolve('sent'); image.onerror = () => resolve('refused'); image.src = 'http://127.0.0.1:9/a.png' })",
    ]
    const before = page.complaints.length
    for (const attempt of tries) t.equal(await page.evaluate(attempt), 'refused')
    const violations = page.complaints.splice(before).filter((complaint) => /Content Security Policy/.test(complaint))
    t.ok(violations.length >= 2, 'its own policy refuses')
  })

  for (const width of [400, 1400]) {
    for (const scheme of ['light', 'dark'] as const) {
      t.test(`fits ${width} pixels and is accessible in the ${scheme} mode`, async (t) => {
        await page.resize(width, 900)
        await page.prefer(scheme)
        for (const [title, answer] of [
          ['2.2: Order, Allow, Deny and Satisfy', '200 OK'],
          ['A configuration with mistakes', 'The server would not start'],
          ['Who gets in: a network, or a user', '401 Unauthorized'],
          ['The example site of Gatewright', '200 OK'],
        ] as const) {
          await choose(page, title)
          await answered(page, answer)
          t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, title)
          t.strictSame(await accessibilityFaults(page), [], title)
        }
      })
    }
  }
  t.test('complains of nothing', async (t) => {
    t.strictSame(page.complaints, [])
  })
})

/** Waits for an answer, and until lint has looked as well. */
async function answered(page: Page, status: string): Promise<void> {
  await page.until(
    `answer.getAttribute('aria-busy') === 'false' && document.querySelector('#verdict .status')?.textContent === ${JSON.stringify(status)}`,
  )
}

async function text(page: Page, id: string): Promise<string> {
  return String(await page.evaluate(`document.getElementById('${id}').textContent`))
}

async function fill(page: Page, id: string, value: string): Promise<void> {
  await page.evaluate(
    `{ const field = document.getElementById('${id}'); field.value = ${JSON.stringify(value)}; field.dispatchEvent(new Event('input')) }`,
  )
}

async function choose(page: Page, title: string): Promise<void> {
  await page.evaluate(
    `{ const choice = document.getElementById('examples'); choice.value = [...choice.options].find((option) => option.text === ${JSON.stringify(title)}).value; choice.dispatchEvent(new Event('change')) }`,
  )
}
