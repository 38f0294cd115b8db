import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { StagedServer } from '../fixtures/staged-server.ts'
import { accessibilityFaults } from './accessibility.ts'
import { Chromium, findChromium } from './chromium.ts'

const program = findChromium()

const EXAMPLE = join(import.meta.dirname, '../../dist/htdocs')
const MODULES = [
  'authz_core',
  'authz_host',
  'alias',
  'mime',
  'dir',
  'ldap',
  'slotmem_shm',
  'proxy',
  'proxy_balancer',
  'lbmethod_byrequests',
  'autoindex',
]

const CONFIGURATION = [
  ...MODULES.map((name) => `LoadModule ${name}_module modules/mod_${name}.so`),
  `TypesConfig ${join(EXAMPLE, '../conf/mime.types')}`,
  '<Location "/denied">',
  '  Require ip 192.0.2.1',
  '</Location>',
  'Redirect gone /gone',
  '<Location "/ldap-status">',
  '  SetHandler ldap-status',
  '</Location>',
  '<Location "/balancer-manager">',
  '  SetHandler balancer-manager',
  '</Location>',
  '<Proxy "balancer://app">',
  '  BalancerMember http://127.0.0.1:1',
  '</Proxy>',
]

const FILES = ['index.html', 'style.css', 'login.html', 'listing.css', 'listing.js', 'files/letters/1-winter.txt']

/**
 * The pages in the style of this server, and what each has to contain, so that no other page is checked instead. Pages
 * of status and information have the markup of httpd, which programs read.
 */
const PAGES: readonly (readonly [string, string])[] = [
  ['/', 'Gatewright'],
  ['/login.html', 'Password'],
  ['/denied', 'Forbidden'],
  ['/none', 'Not Found'],
  ['/gone', 'Gone'],
  ['/files/letters/', '1-winter.txt'],
  ['/ldap-status', 'LDAP Cache Information'],
  ['/balancer-manager', 'balancer://app'],
]

t.test(
  'pages in the style of the server',
  { skip: program === null && 'no chromium is installed', timeout: 900_000 },
  async (t) => {
    const server = await StagedServer.make(t)
    const listings = `Include ${join(EXAMPLE, '../conf/extra/listings.conf')}`
    server.configure(...CONFIGURATION, `Define SRVROOT "${server.root}"`, listings)
    for (const name of FILES) server.file(`htdocs/${name}`, readFileSync(join(EXAMPLE, name), 'utf8'))
    await server.start()
    const browser = await Chromium.start(program ?? '')
    t.teardown(() => browser.close())
    const page = await browser.open()
    t.test('a listing has links to the folders above it', async (t) => {
      await page.visit(`http://127.0.0.1:${server.port}/files/letters/`)
      t.equal(await page.evaluate("document.querySelector('h1').textContent"), 'Index of 127.0.0.1 / files / letters')
      t.strictSame(await page.evaluate("[...document.querySelectorAll('h1 a')].map((link) => link.getAttribute('href'))"), [
        '/',
        '/files/',
      ])
    })
    for (const width of [400, 1400]) {
      for (const scheme of ['light', 'dark'] as const) {
        t.test(`are accessible at ${width} pixels in the ${scheme} mode`, async (t) => {
          await page.resize(width, 900)
          await page.prefer(scheme)
          for (const [path, content] of PAGES) {
            await page.visit(`http://127.0.0.1:${server.port}${path}`)
            t.match(await page.evaluate('document.body.textContent'), content, path)
            t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, path)
            t.strictSame(await accessibilityFaults(page), [], path)
          }
        })
      }
    }
  },
)
