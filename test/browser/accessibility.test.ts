import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { StagedServer } from '../fixtures/staged-server.ts'
import { accessibilityFaults } from './accessibility.ts'
import { Chromium, findChromium } from './chromium.ts'

const program = findChromium()

const EXAMPLE = join(import.meta.dirname, '../../dist/htdocs')
const MODULES = ['authz_core', 'authz_host', 'alias', 'mime', 'dir']

const CONFIGURATION = [
  ...MODULES.map((name) => `LoadModule ${name}_module modules/mod_${name}.so`),
  `TypesConfig ${join(EXAMPLE, '../conf/mime.types')}`,
  '<Location "/denied">',
  '  Require ip 192.0.2.1',
  '</Location>',
  'Redirect gone /gone',
]

/**
 * The pages in the style of this server, and what each has to contain, so that no other page is checked instead. Pages
 * of status, information and folders have the markup of httpd, which programs read.
 */
const PAGES: readonly (readonly [string, string])[] = [
  ['/', 'Gatewright'],
  ['/login.html', 'Password'],
  ['/denied', 'Forbidden'],
  ['/none', 'Not Found'],
  ['/gone', 'Gone'],
]

t.test(
  'pages in the style of the server',
  { skip: program === null && 'no chromium is installed', timeout: 300_000 },
  async (t) => {
    const server = await StagedServer.make(t)
    server.configure(...CONFIGURATION)
    for (const name of ['index.html', 'style.css', 'login.html'])
      server.file(`htdocs/${name}`, readFileSync(join(EXAMPLE, name), 'utf8'))
    await server.start()
    const browser = await Chromium.start(program ?? '')
    t.teardown(() => browser.close())
    const page = await browser.open()
    for (const width of [400, 1400]) {
      for (const scheme of ['light', 'dark'] as const) {
        t.test(`are accessible at ${width} pixels in the ${scheme} mode`, async (t) => {
          await page.resize(width, 900)
          await page.prefer(scheme)
          for (const [path, content] of PAGES) {
            await page.visit(`http://127.0.0.1:${server.port}${path}`)
            t.match(await page.evaluate('document.body.textContent'), content, path)
            t.strictSame(await accessibilityFaults(page), [], path)
          }
        })
      }
    }
  },
)
