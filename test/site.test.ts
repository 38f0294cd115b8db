import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import MiniSearch from 'minisearch'
import t from 'tap'
import { buildSite } from '../build/site/build-site.ts'
import { readDirectives } from '../build/site/directive-data.ts'
import { layOut } from '../build/site/layout.ts'
import { type Heading, renderMarkdown } from '../build/site/markdown.ts'
import { SEARCH_OPTIONS } from '../build/site/search-data.ts'
import { linkFrom, placeOf } from '../build/site/site-paths.ts'

const ROOT = join(import.meta.dirname, '..')
const STAGED = join(ROOT, 'dist')

t.test('long names in the margins break between their words', (t) => {
  const heading = (text: string): Heading => ({ level: 2, id: 'a', text, below: '' })
  const headings = [heading('AuthzSendForbiddenOnFailure'), heading('RequireAll'), heading('Differences from httpd')]
  const html = layOut({ url: 'a.html', group: null, title: 'A', html: '', headings }, new Map())
  t.match(html, '>Authz<wbr>Send<wbr>Forbidden<wbr>On<wbr>Failure</a>')
  t.match(html, '>RequireAll</a>')
  t.match(html, '>Differences from httpd</a>')
  t.end()
})

t.test('the site of the documentation', { timeout: 300_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-site-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const built = await buildSite(folder, STAGED)
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.html'))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
  const index = MiniSearch.loadJSON(searchIndex(folder), SEARCH_OPTIONS)

  t.test('every link leads to a page and to a heading of it', (t) => {
    t.equal(pages.size, built.pages)
    const broken: string[] = []
    for (const [path, html] of pages) {
      for (const [, href] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (/^[a-z]+:/.test(href)) continue
        const [file, anchor] = href.split('#')
        const target = file === '' ? path : posix.normalize(posix.join(dirname(path), file))
        const page = pages.get(target)
        if (page === undefined) broken.push(`${path}: ${href}`)
        else if (anchor !== undefined && !page.includes(`id="${decodeURIComponent(anchor)}"`)) broken.push(`${path}: ${href}`)
      }
    }
    t.strictSame(broken, [])
    t.end()
  })

  t.test('no page requests anything from another place', (t) => {
    const loading = /<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)="([^"]*)"/g
    const outside = [...pages].flatMap(([path, html]) =>
      [...html.matchAll(loading)].filter(([, target]) => /^(?:https?:)?\/\//.test(target)).map(([tag]) => `${path}: ${tag}`),
    )
    t.strictSame(outside, [])
    t.notOk(/url\(|@import/.test(readFileSync(join(folder, 'site.css'), 'utf8')), 'the style loads nothing')
    t.notOk(
      /https?:\/\/|XMLHttpRequest|[^.\w]fetch\(["'`]/.test(readFileSync(join(folder, 'search.js'), 'utf8')),
      'the search loads nothing',
    )
    t.end()
  })

  t.test('every directive has a section on the page of its module, with its context', (t) => {
    const directives = readDirectives(STAGED)
    t.ok(directives.length > 700, `${directives.length} directives`)
    const missing = directives.filter(({ folder: module, name }) => {
      const html = pages.get(`modules/${module}.html`) ?? ''
      return !html.includes(`id="directive-${name.replace(/^</, '').toLowerCase()}"`)
    })
    t.strictSame(missing, [])
    const alias = pages.get('modules/mod_alias.html') ?? ''
    t.match(alias, /id="directive-redirect"[\s\S]*?<dt>Context<\/dt><dd>server, virtual host, directory, \.htaccess<\/dd>/)
    t.match(alias, /id="directive-redirect"[\s\S]*?<dt>AllowOverride<\/dt><dd><code>FileInfo<\/code><\/dd>/)
    t.end()
  })

  t.test('every directive of the core is described', (t) => {
    const bare = readDirectives(STAGED).filter(
      ({ folder: module, source, manual }) => module === 'core' && source === 'core.c' && !manual?.text,
    )
    t.strictSame(
      bare.map(({ name }) => name),
      [],
    )
    t.end()
  })

  t.test('the search finds directives by their names, and guides by their words', (t) => {
    const first = (query: string): unknown => index.search(query, { prefix: true, boost: { title: 6 } })[0]?.url
    t.equal(first('AuthMerging'), 'modules/mod_authz_core.html#directive-authmerging')
    t.equal(first('AllowOverrideList'), 'modules/core.html#directive-allowoverridelist')
    t.equal(first('ModuleHost'), 'api/ModuleHost.html')
    t.match(first('Kubernetes'), /^docs\/operating\/kubernetes\.html/)
    t.end()
  })

  t.test('a symbol of the API shows its declaration, with links to the types in it', (t) => {
    const request = pages.get('api/Request.html') ?? ''
    t.match(request, /import \{ Request \} from '@gatewright\/api'/)
    t.match(request, /<a href="Connection\.html">Connection<\/a>/)
    t.equal(
      built.symbols,
      new Set([...(pages.get('api/index.html') ?? '').matchAll(/<td><a href="(\w+)\.html"/g)].map(([, name]) => name)).size,
    )
    t.end()
  })
})

function searchIndex(folder: string): string {
  const script = readFileSync(join(folder, 'search-index.js'), 'utf8')
  const text: unknown = JSON.parse(script.slice('self.searchIndex='.length))
  return typeof text === 'string' ? text : ''
}

t.test('links between pages of the project become links between pages of the site', (t) => {
  const { html, headings } = renderMarkdown(
    '# A page\n\n[module](../modules/mod_alias/README.md#traps) [folder](operating/README.md) [code](../build/place.ts) <b>x</b>\n\n## Twice\n\n## Twice\n',
    'docs/page.md',
    'docs/page.html',
  )
  t.match(html, '<a href="../modules/mod_alias.html#traps">module</a>')
  t.match(html, '<a href="operating/index.html">folder</a>')
  t.match(html, /<\/a> code <b>x<\/b>/)
  t.strictSame(
    headings.map(({ id }) => id),
    ['a-page', 'twice', 'twice-1'],
  )
  t.equal(linkFrom('docs/a.html', 'docs/a.html'), 'a.html')
  t.equal(placeOf('test/README.md'), null)
  t.end()
})
