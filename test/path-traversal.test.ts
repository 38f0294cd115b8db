import { chownSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type InjectedResponse, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import alias from '../modules/mod_alias/src/index.ts'
import authzCore from '../modules/mod_authz_core/src/index.ts'
import autoindex from '../modules/mod_autoindex/src/index.ts'
import dir from '../modules/mod_dir/src/index.ts'
import negotiation from '../modules/mod_negotiation/src/index.ts'
import rewrite from '../modules/mod_rewrite/src/index.ts'
import userdir from '../modules/mod_userdir/src/index.ts'
import vhostAlias from '../modules/mod_vhost_alias/src/index.ts'
import { Random } from './fixtures/random.ts'
import { randomTarget } from './traversal/target-generator.ts'

const CANARY = 'content of the canary'
/** In every folder that is not served; no request contains it. */
const LISTED = 'seen-in-a-listing'
const FILES = {
  'canary.txt': CANARY,
  [LISTED]: '',
  'secret/canary.txt': CANARY,
  [`secret/${LISTED}`]: '',
  'conf/canary.txt': CANARY,
  'docs/file.txt': 'public',
  'docs/a/b/file.txt': 'public',
  'docs/A/file.txt': 'public',
  'docs/error.txt': 'no such file',
  'aliased/file.txt': 'public',
  'aliased-not/canary.txt': CANARY,
  [`aliased-not/${LISTED}`]: '',
  'rewritten/file.txt': 'public',
  'homes/ann/file.txt': 'public',
  'people/ann/www/file.txt': 'public',
  'people/ann/canary.txt': CANARY,
  'sites/localhost/file.txt': 'public',
  'sites/canary.txt': CANARY,
  'sites/other/canary.txt': CANARY,
}
const PRIZES = [
  'secret/canary.txt',
  'canary.txt',
  'conf/canary.txt',
  'aliased-not/canary.txt',
  'secret',
  'secret/',
  'file.txt',
  '',
]
const PLACES = [
  '/',
  '/a/b/',
  '/alias/',
  '/alias',
  '/slashed/',
  '/slashed',
  '/rw/',
  '/rw',
  '/ht/',
  '/match/',
  '/~ann/',
  '/~ann',
  '/~',
  '/~./',
  '/~../',
  '/~%2e%2e/',
]
const MAPPINGS = `
Alias /alias "@ROOT@/aliased"
Alias /slashed/ "@ROOT@/aliased/"
AliasMatch ^/match/(.*)$ "@ROOT@/aliased/$1"
RewriteEngine On
RewriteRule ^/rw/(.*)$ "@ROOT@/rewritten/$1" [L]
RewriteRule ^/rwb/(.*)$ "@ROOT@/rewritten/$1" [B,L]
RewriteRule ^/ht/(.*)$ /a/$1 [PT]
UserDir "@ROOT@/homes"
ErrorDocument 404 /error.txt
ErrorDocument 403 /error.txt
AcceptPathInfo On
<Directory "@ROOT@">
Options Indexes MultiViews FollowSymLinks
</Directory>`
/** Everything is readable: only the mapping from URL to file protects files that are not served. */
const OPEN = '<Directory />\nRequire all granted\n</Directory>'

/**
 * Sends requests generated from the seed. None may reveal a file that is not served, and some must reveal
 * served ones.
 */
async function besiege(
  t: Test,
  server: TestServer,
  seed: number,
  count: number,
  places: readonly string[],
  host?: (random: Random) => string,
): Promise<void> {
  const random = new Random(seed)
  let served = 0
  for (let i = 0; i < count; i++) {
    const target = random.percent(10) ? `${random.pick(places)}file.txt` : randomTarget(random, places, PRIZES)
    const headers: Record<string, string> = host === undefined ? {} : { Host: host(random) }
    const response = await server.inject({ target, headers })
    if (shows(response)) t.fail(`seed ${seed}, request ${i}: ${JSON.stringify({ target, headers })}`)
    if (response.status === 200 && response.body === 'public') served++
  }
  t.ok(served > count / 100, `${served} of ${count} requests were served`)
}

function shows({ body }: InjectedResponse): boolean {
  return body.includes(CANARY) || body.includes(LISTED)
}

async function serve(t: Test, config: string): Promise<TestServer> {
  const modules = [authzCore, alias, autoindex, dir, negotiation, rewrite, userdir, vhostAlias]
  const server = await site({ modules, config, files: FILES })
  t.teardown(() => server.close())
  return server
}

for (const [index, lines] of ['', 'AllowEncodedSlashes On', 'AllowEncodedSlashes NoDecode', 'MergeSlashes Off'].entries()) {
  t.test(`no target leaves the folders that URLs are mapped to (${lines === '' ? 'defaults' : lines})`, async (t) => {
    const server = await serve(t, `${lines}\n${MAPPINGS}\n${OPEN}`)
    await besiege(t, server, 100 + index, 800, PLACES)
  })
}

t.test('no user is found outside of the homes', async (t) => {
  const server = await serve(t, `UserDir "@ROOT@/people/*/www"\n${OPEN}`)
  await besiege(t, server, 200, 500, ['/~ann/', '/~ann', '/~', '/~ann%2f', '/~./', '/~../'])
})

t.test('no name of a host leads out of the sites', async (t) => {
  const server = await serve(t, `UseCanonicalName Off\nVirtualDocumentRoot "@ROOT@/sites/%0"\n${OPEN}`)
  const hosts = [
    ...Array.from({ length: 6 }, () => 'localhost'),
    '.',
    '..',
    '...',
    '.localhost',
    'other..',
    '%2e%2e',
    '_',
    '-',
    'localhost:80',
    '[::1]',
    '..:80',
    'x/..',
    '..\\',
    'localhost.',
  ]
  await besiege(t, server, 300, 500, ['/', '/a/'], (random) => random.pick(hosts))
})

t.test('a rule that puts a query into a file name opens no folder that is closed', async (t) => {
  const server = await serve(
    t,
    `RewriteEngine On
RewriteCond %{QUERY_STRING} ^(.*)$
RewriteRule ^/q$ "@ROOT@/rewritten/%1" [L]
${MAPPINGS.replace('RewriteEngine On', '')}
<Directory />
Require all denied
</Directory>
${['docs', 'aliased', 'rewritten', 'homes/ann'].map((folder) => `<Directory "@ROOT@/${folder}">\nRequire all granted\n</Directory>`).join('\n')}`,
  )
  await besiege(t, server, 400, 800, ['/q?', '/q?/', '/q?a/', ...PLACES])
})

t.test('links lead nowhere where they are not to be followed', async (t) => {
  const server = await serve(
    t,
    `${MAPPINGS}
<Directory "@ROOT@/docs/nolinks">
Options -FollowSymLinks
</Directory>
<Directory "@ROOT@/docs/owner">
Options -FollowSymLinks +SymLinksIfOwnerMatch
</Directory>
${OPEN}`,
  )
  const root = server.serverRoot
  for (const folder of ['nolinks', 'owner']) {
    const docs = join(root, 'docs', folder)
    mkdirSync(join(docs, 'real'), { recursive: true })
    symlinkSync('../../secret', join(docs, 'out'))
    symlinkSync('../../secret/canary.txt', join(docs, 'canary.txt'))
    symlinkSync('../../..', join(docs, 'real/up'))
    symlinkSync('out', join(docs, 'again'))
  }
  const places = [
    '/nolinks/',
    '/nolinks/out/',
    '/nolinks/real/up/',
    '/nolinks/again/',
    '/a/../nolinks/out/',
    '/ht/../../nolinks/out/',
    '/',
  ]
  // Only root can create links of other users.
  if (process.geteuid?.() === 0) {
    for (const name of ['', 'canary.txt']) chownSync(join(root, 'secret', name), 1, 1)
    chownSync(root, 1, 1)
    places.push('/owner/', '/owner/out/', '/owner/real/up/', '/owner/again/')
  }
  await besiege(t, server, 500, 800, places)
})

/** Lines of a .htaccess file in the folder /a, each with a request that it is for. */
const NAMED_IN_FILES: readonly (readonly [string, string])[] = [
  ['ErrorDocument 404 /../secret/canary.txt', '/a/none'],
  ['ErrorDocument 404 /a/../../secret/canary.txt', '/a/none'],
  ['ErrorDocument 404 /%2e%2e/secret/canary.txt', '/a/none'],
  ['ErrorDocument 404 /..%2fsecret/canary.txt', '/a/none'],
  ['DirectoryIndex ../../secret/canary.txt', '/a/'],
  ['DirectoryIndex /../secret/canary.txt', '/a/'],
  ['DirectoryIndex %2e%2e/%2e%2e/secret/canary.txt', '/a/'],
  ['FallbackResource /../secret/canary.txt', '/a/none'],
  ['FallbackResource /a/../../secret/canary.txt', '/a/none'],
  ['RewriteEngine On\nRewriteRule ^x$ ../../secret/canary.txt', '/a/x'],
  ['RewriteEngine On\nRewriteRule ^x$ /../secret/canary.txt', '/a/x'],
  ['RewriteEngine On\nRewriteRule ^x$ /a/../../secret/canary.txt [END]', '/a/x'],
  ['RewriteEngine On\nRewriteBase /../secret/\nRewriteRule ^x$ canary.txt', '/a/x'],
  ['RewriteEngine On\nRewriteRule ^x(.*)$ /$1 [PT]', '/a/x%252e%252e/secret/canary.txt'],
  ['SetHandler type-map', '/a/map'],
]

const TYPE_MAP = 'URI: ../../secret/canary.txt\nContent-Type: text/plain\n\n'

t.test('no path that a .htaccess file names leads out of the site', async (t) => {
  for (const [lines, target] of NAMED_IN_FILES) {
    const modules = [authzCore, alias, autoindex, dir, negotiation, rewrite]
    const config = `<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>\n${OPEN}`
    const server = await site({ modules, config, files: { ...FILES, 'docs/a/.htaccess': `${lines}\n`, 'docs/a/map': TYPE_MAP } })
    const response = await server.inject(target)
    await server.close()
    t.notOk(shows(response), lines)
    t.not(response.status, 200, lines)
    t.not(response.status, 500, lines)
  }
})

t.test('the search would find the marker', async (t) => {
  const server = await serve(
    t,
    `Alias /leak "@ROOT@/secret"\n<Directory "@ROOT@/secret">\nOptions Indexes\n</Directory>\n${OPEN}`,
  )
  t.ok(shows(await server.inject('/leak/canary.txt')))
  t.ok(shows(await server.inject('/leak/')))
})
