import { copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { bundleEngine } from '../build/playground/bundle-engine.ts'
import type { Case, GivenRequest } from '../build/playground/engine/question-case.ts'
import { examples } from '../build/playground/examples.ts'
import { gatewright } from './fixtures/gatewright.ts'
import { PlaygroundEngine } from './fixtures/playground-engine.ts'
import { MODULES } from './fixtures/staged-server.ts'

const STAGED = join(import.meta.dirname, '../dist')

/** Requests to each example, besides its own. */
const REQUESTS: readonly Partial<GivenRequest>[] = [
  { url: '/' },
  { url: '/.htaccess' },
  { url: '/none', client: '10.99.0.1' },
  { url: '/private/plan.html', user: 'ada', password: 'secret' },
  { url: '/private/plan.html', user: 'ada', password: 'wrong' },
  { url: '/private/plan.html', user: 'bob' },
  { url: '/intern/', client: '10.1.2.3' },
  { url: '/intern/', client: '10.99.0.1', user: 'bob', password: 'secret' },
  { url: '/intern/index.html', user: 'nobody', password: 'x' },
  { url: '/old/', client: '192.168.1.7' },
  { url: '/old/reports/', client: '10.1.2.3' },
  { url: '/old/reports/index.html', client: '10.1.2.4', method: 'POST' },
  { url: 'http://files.example.org/' },
  { url: 'http://example.org/logo' },
  { url: 'http://www.example.org/index.html', method: 'OPTIONS' },
  { url: '/wp-config.php' },
  { url: '/style.css', method: 'HEAD' },
  { url: '/notes/today.txt' },
  { url: '/notes/today.txt', method: 'PUT', user: 'bob', password: 'secret' },
  { url: '/admin/', client: '10.0.0.5', fields: 'X-Forwarded-For: 10.2.3.4' },
  { url: '/files/report.pdf', fields: 'Referer: http://www.example.org/a' },
  { url: '/old-style/', client: '127.0.0.2' },
]

/** Each example with its own request, and with those of the list that find something there. */
function cases(): { readonly title: string; readonly given: Case }[] {
  return examples().flatMap(({ title, given }) => {
    const paths = given.files.map(({ path }) => path)
    const names = given.files.map(({ text }) => text).join('\n')
    const others = REQUESTS.filter(({ url = '' }) => {
      const path = url.replace(/^http:\/\/[^/]+/, '')
      return (
        path === '/' ||
        path === '/none' ||
        paths.some((each) => each.includes(path.replace(/\/$/, ''))) ||
        names.includes(`"${path}`)
      )
    })
    return [
      { title, given },
      ...others.map((request) => ({ title, given: { ...given, request: { ...given.request, ...request } } })),
    ]
  })
}

const MODULE_LINES = /^LoadModule (\S+) +\S*(mod_\w+)\.mjs/gm

t.test('the engine of the playground answers as gatewright explain does for the same files', { timeout: 600_000 }, async (t) => {
  const root = realpathSync(t.testdir())
  const engine = new PlaygroundEngine((await bundleEngine()).script)
  t.teardown(() => engine.close())
  const all = cases()
  t.ok(all.length >= 30, `${all.length} cases`)
  for (const [index, { title, given }] of all.entries()) {
    const { request } = given
    const name = `${title}: ${JSON.stringify(request)}`
    const placed = placedIn(join(root, String(index)), given)
    for (const { path, text } of placed.files) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    // What the page assumes to exist.
    for (const folder of ['etc/httpd', 'srv/gatewright']) {
      for (const name of ['conf', 'logs', 'htdocs']) mkdirSync(join(root, String(index), folder, name), { recursive: true })
      copyFileSync(join(STAGED, 'conf/mime.types'), join(root, String(index), folder, 'conf/mime.types'))
    }
    mkdirSync(join(root, String(index), 'var/www/html'), { recursive: true })
    const told = await gatewright(['explain', '--offline', '--json', ...words(placed)])
    const parts = await engine.ask(placed)
    const [first] = parts
    if (told.status === 1) {
      t.equal(first?.part, 'refusal', `${name}: ${told.stderr}`)
      if (first?.part !== 'refusal') continue
      const { file, line, message } = first.refusal
      t.match(told.stderr, message, name)
      t.match(told.stderr, file === '' ? '' : `line ${line} of ${file}`, name)
      continue
    }
    t.equal(told.status, 0, `${name}: ${told.stderr}`)
    t.equal(first?.part, 'answer', `${name}: ${first?.part === 'refusal' ? first.refusal.message : ''}`)
    if (first?.part === 'answer') t.strictSame(JSON.parse(first.answer.json), JSON.parse(told.stdout), name)
  }
})

t.test(
  'a page assumes a secured connection for https, and answers nothing where a certificate of the client counts',
  async (t) => {
    const engine = new PlaygroundEngine((await bundleEngine()).script)
    t.teardown(() => engine.close())
    const lines = (more: string): string =>
      `Listen 80\nListen 443\nDocumentRoot /srv\n<Location "/c">\nSSLVerifyClient require\n</Location>\n<Location "/s">\nSSLRequireSSL\n</Location>\n<VirtualHost *:443>\nServerName a.example\nSSLEngine on\nSSLCertificateFile /etc/a.pem\nSSLCertificateKeyFile /etc/a.key\n${more}</VirtualHost>\n`
    const ask = async (url: string, more = ''): Promise<string> => {
      const files = [
        { path: '/etc/httpd/httpd.conf', text: lines(more) },
        { path: '/srv/s', text: 'x' },
      ]
      const request = { method: 'GET', url, fields: '', client: '127.0.0.1', user: '', password: null }
      const [first] = await engine.ask({ start: '/etc/httpd/httpd.conf', files, request })
      if (first?.part === 'answer') return `${first.answer.status} ${first.answer.text}`
      return first?.part === 'refusal' ? first.refusal.message : String(first?.part)
    }
    t.match(await ask('https://a.example/s'), /^200 [\s\S]*the connection counts as secured/)
    t.match(await ask('http://a.example/s'), /^403 /)
    t.match(await ask('http://a.example:443/s'), /use TLS/)
    t.match(await ask('https://a.example:80/s'), /do not use TLS/)
    t.match(await ask('https://a.example/c'), /asks the client for a certificate/)
    t.match(await ask('https://a.example/s', 'SSLVerifyClient optional\n'), /asks the client for a certificate/)
  },
)

/** The case with its files below a folder. A configuration loads its modules, as the command line expects. */
function placedIn(folder: string, given: Case): Case {
  const moved = (text: string): string =>
    text.replace(/(?<=^|["\s])\/(?=(?:var\/www|etc\/httpd|srv\/gatewright)\b)/gm, `${folder}/`)
  const all = LOAD_LINES
  return {
    ...given,
    start: moved(given.start),
    files: given.files.map(({ path, text }) => {
      const isMain = path === given.start && !text.includes('LoadModule')
      const written = moved(text).replace(
        MODULE_LINES,
        (_, id: string, file: string) => `LoadModule ${id} ${join(MODULES, file)}.so`,
      )
      return { path: moved(path), text: isMain ? `${all}\n${written}` : written }
    }),
  }
}

const LOAD_LINES =
  'access_compat alias auth_basic authn_core authn_file authz_core authz_groupfile authz_host authz_user autoindex dir env headers mime remoteip rewrite setenvif status'
    .split(' ')
    .map((name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`)
    .join('\n')

function words({ start, files, request }: Case): string[] {
  const from = files.some(({ path }) => path === start) ? ['-f', start] : ['--tree', start]
  const { user, password, client, method, fields, url } = request
  const credentials = user === '' ? [] : ['-u', password === null ? user : `${user}:${password}`]
  return [...from, '-X', method, '--from', client, ...credentials, ...(fields === '' ? [] : ['-H', fields]), url]
}
