import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DECLINED, defineModule } from '@gatewright/api'
import { type FileTree, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import dir from '../../mod_dir/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import autoindex from '../src/index.ts'

const MODULES = [authzCore, dir, mime, autoindex]
const DATE = new Date(Date.UTC(2020, 0, 2, 3, 4, 5))

async function listed(t: Test, files: FileTree, ...lines: string[]): Promise<TestServer> {
  const server = await site({
    modules: MODULES,
    files: { 'conf/mime.types': 'text/html html\ntext/plain txt\nimage/png png\n', ...files },
    config: ['TypesConfig conf/mime.types', '<Directory @ROOT@/docs>', 'Options +Indexes', '</Directory>', ...lines].join('\n'),
  })
  t.teardown(() => server.close())
  return server
}

/** Names that a listing links to, in order. */
function links(body: string): string[] {
  return Array.from(body.matchAll(/<a href="([^?"][^"]*)">/g), ([, name]) => name ?? '')
}

t.test('a folder without index is listed as a plain list', async (t) => {
  const server = await listed(t, { 'docs/a/b.txt': 'x', 'docs/a/sub/x': 'x' })
  const { status, body, header } = await server.inject('/a/')
  t.equal(status, 200)
  t.equal(header('content-type'), 'text/html;charset=ISO-8859-1')
  t.equal(header('content-length'), String(body.length))
  t.equal(
    body,
    `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html>
 <head>
  <title>Index of /a</title>
 </head>
 <body>
<h1>Index of /a</h1>
<ul><li><a href="/"> Parent Directory</a></li>
<li><a href="b.txt"> b.txt</a></li>
<li><a href="sub/"> sub/</a></li>
</ul>
</body></html>
`,
  )
})

t.test('FancyIndexing gives lines with icon, name, date, size and description', async (t) => {
  const server = await listed(
    t,
    { 'docs/a/b.txt': 'four' },
    ...['IndexOptions FancyIndexing', 'AddIcon /back.gif ..', 'AddIconByType (TXT,/t.gif) text/*', 'DefaultIcon /d.gif'],
    'AddDescription "the <i>letter</i> b" b.txt',
  )
  utimesSync(join(server.serverRoot, 'docs/a/b.txt'), DATE, DATE)
  const date = `${DATE.getFullYear()}-01-0${DATE.getDate()} ${String(DATE.getHours()).padStart(2, '0')}:04`
  t.strictSame((await server.inject('/a/')).body.split('\n').slice(7, 10), [
    `<pre>      <a href="?C=N;O=D">Name</a>                    <a href="?C=M;O=A">Last modified</a>      <a href="?C=S;O=A">Size</a>  <a href="?C=D;O=A">Description</a><hr><img src="/back.gif" alt="[PARENTDIR]"> <a href="/">Parent Directory</a>                             -   `,
    `<img src="/t.gif" alt="[TXT]"> <a href="b.txt">b.txt</a>                   ${date}    4   the <i>letter</i> b`,
    '<hr></pre>',
  ])
})

t.test('HTMLTable with a style sheet gives rows with classes', async (t) => {
  const server = await listed(
    t,
    { 'docs/a/b.txt': 'x' },
    'IndexOptions FancyIndexing HTMLTable AddAltClass SuppressLastModified SuppressRules NameWidth=*',
    'IndexStyleSheet /s.css',
    'AddAltByType TXT text/*',
  )
  const { body } = await server.inject('/a/')
  t.match(body, '<link rel="stylesheet" href="/s.css" type="text/css">\n')
  t.match(
    body,
    '  <h1 id="indextitle">Index of /a</h1>\n  <table id="indexlist">\n   <tr class="indexhead"><th class="indexcolicon">&nbsp;</th>',
  )
  t.match(
    body,
    '   <tr class="odd-txt"><td class="indexcolicon">&nbsp;</td><td class="indexcolname"><a href="b.txt">b.txt</a></td><td class="indexcolsize">  1 </td><td class="indexcoldesc">&nbsp;</td></tr>\n',
  )
})

t.test('names are escaped in links and in text, whatever their bytes', async (t) => {
  const server = await listed(t, { 'docs/a/sp & <q>#?.txt': 'x', 'docs/a/co:lon': 'x', 'docs/a/übung.txt': 'x' })
  const { body } = await server.inject('/a/')
  t.match(body, '<a href="sp%20&amp;%20%3cq%3e%23%3f.txt"> sp &amp; &lt;q&gt;#?.txt</a>')
  t.match(body, '<a href="./co:lon"> co:lon</a>')
  t.match(body, `<a href="%c3%bcbung.txt"> ${Buffer.from('übung.txt').toString('latin1')}</a>`)
  t.equal((await server.inject('/a/%c3%bcbung.txt')).status, 200)
})

t.test('entries to which the client has no access are omitted, or shown with ShowForbidden', async (t) => {
  const files = {
    'docs/a/open.txt': 'x',
    'docs/a/shut.txt': 'x',
    'docs/a/closed/x': 'x',
    'docs/a/broken/.htaccess': 'NoSuchDirective\n',
  }
  const rules = [
    ...['<Files shut.txt>', 'Require all denied', '</Files>', '<Location /a/closed/>', 'Require all denied', '</Location>'],
    ...['<Directory @ROOT@/docs>', 'AllowOverride All', '</Directory>'],
  ]
  const server = await listed(t, files, ...rules)
  symlinkSync('nowhere', join(server.serverRoot, 'docs/a/dangling'))
  t.strictSame(links((await server.inject('/a/')).body), ['/', 'open.txt'])
  const shown = await listed(t, files, ...rules, 'IndexOptions ShowForbidden')
  t.strictSame(links((await shown.inject('/a/')).body), ['/', 'closed/', 'open.txt', 'shut.txt'])
})

t.test('without the option Indexes a folder is refused, and the log names the index files', async (t) => {
  const server = await listed(
    t,
    { 'docs/a/x': 'x' },
    ...['DirectoryIndex one.html two.html', '<Directory @ROOT@/docs/a>', 'Options -Indexes', '</Directory>'],
  )
  t.equal((await server.inject('/a/')).status, 403)
  t.match(
    server.errors().join('\n'),
    /AH01276: Cannot serve directory \S+\/docs\/a\/: No matching DirectoryIndex \(one\.html,two\.html\) found, and server-generated directory index forbidden by Options directive/,
  )
})

t.test('only GET and HEAD are answered with a listing', async (t) => {
  const server = await listed(t, { 'docs/a/x': 'x' }, 'IndexOptions TrackModified')
  t.equal((await server.inject({ target: '/a/', method: 'POST', body: 'x' })).status, 404)
  t.equal((await server.inject({ target: '/a/', method: 'PUT', body: 'x' })).status, 405)
  const { status, body, header } = await server.inject({ target: '/a/', method: 'HEAD' })
  t.strictSame([status, body, header('content-type')], [200, '', 'text/html;charset=ISO-8859-1'])
  t.ok(header('last-modified'))
  t.match(header('etag'), /^(W\/)?"[0-9a-f]+-[0-9a-f]+"$/)
})

t.test('a folder with a handler of its own is not listed', async (t) => {
  const server = await listed(t, { 'docs/a/x': 'x' }, '<Location /a/>', 'SetHandler other', '</Location>')
  t.equal((await server.inject('/a/')).status, 404)
})

t.test('clients can sort by column, in both directions', async (t) => {
  const server = await listed(
    t,
    {
      'docs/a/big': 'x'.repeat(3000),
      'docs/a/Mid': 'x'.repeat(200),
      'docs/a/small': 'x',
      'docs/a/v-10': '22',
      'docs/a/v-9/x': '',
    },
    'IndexOptions FancyIndexing FoldersFirst',
    'AddDescription "a" small',
    'AddDescription "b" big',
  )
  const order = async (query: string): Promise<string[]> => links((await server.inject(`/a/?${query}`)).body).slice(1)
  t.strictSame(await order(''), ['v-9/', 'Mid', 'big', 'small', 'v-10'])
  t.strictSame(await order('C=S;O=D'), ['v-9/', 'big', 'Mid', 'v-10', 'small'])
  t.strictSame(await order('C=D;O=D'), ['v-9/', 'big', 'small', 'v-10', 'Mid'])
  t.strictSame(await order('F=0;V=1'), ['Mid', 'big', 'small', 'v-9/', 'v-10'])
  t.strictSame(await order('P=*i*'), ['Mid', 'big'])
})

t.test('HeaderName and ReadmeName insert text as text and markup as markup', async (t) => {
  const server = await listed(
    t,
    { 'docs/a/H.txt': 'a < b\n', 'docs/a/R.html': '<p>bye</p>\n', 'docs/secret.txt': 'never' },
    ...['<Location /secret.txt>', 'Require all denied', '</Location>', 'HeaderName H.txt', 'ReadmeName R.html'],
    ...['<Location /b/>', 'HeaderName /secret.txt', 'ReadmeName none.html', '</Location>'],
  )
  mkdirSync(join(server.serverRoot, 'docs/b'))
  const { body, header } = await server.inject('/a/')
  t.match(body, ' <body>\n<pre>\na &lt; b\n</pre>\n<ul>')
  t.match(body, '</ul>\n<p>bye</p>\n</body></html>\n')
  t.notMatch(body, '<h1>')
  t.equal(header('transfer-encoding'), 'chunked')
  const other = (await server.inject('/b/')).body
  t.match(other, '<h1>Index of /b</h1>')
  t.notMatch(other, 'never')
})

t.test('with SuppressHTMLPreamble the inserted markup is the complete frame', async (t) => {
  const server = await listed(
    t,
    { 'docs/a/H.html': '<html><body>\n', 'docs/a/R.html': '</body></html>\n' },
    'IndexOptions SuppressHTMLPreamble',
    'HeaderName H.html',
    'ReadmeName R.html',
    'IndexIgnore ?.html ..',
  )
  t.equal(
    (await server.inject('/a/')).body.replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, ''),
    '<html><body>\n<ul></ul>\n</body></html>\n',
  )
})

t.test('the date of a folder with an index file is the date of that file, as in httpd', async (t) => {
  const server = await listed(t, { 'docs/a/sub/index.html': 'x' }, 'IndexOptions FancyIndexing ScanHTMLTitles')
  utimesSync(join(server.serverRoot, 'docs/a/sub/index.html'), new Date(2001, 8, 9, 1, 46), new Date(2001, 8, 9, 1, 46))
  t.match((await server.inject('/a/')).body, /<a href="sub\/">sub\/<\/a> +2001-09-09 01:46 +- /)
})

t.test('a folder is also listed under a URL without a slash, if there is no redirect', async (t) => {
  const server = await listed(t, { 'docs/a/x.txt': 'x' }, 'DirectorySlash Off')
  t.strictSame(links((await server.inject('/a')).body), ['/', 'x.txt'])
})

t.test('the root of a site has no parent', async (t) => {
  const server = await listed(t, { 'docs/x.txt': 'x' })
  t.strictSame(links((await server.inject('/')).body), ['x.txt'])
})

t.test('asynchronous lookups in a folder with many entries are all awaited', async (t) => {
  const slow = defineModule({
    name: 'slow_module',
    source: 'mod_slow.c',
    register({ hooks }) {
      hooks.fixups.add(async () => DECLINED)
    },
  })
  const server = await site({
    modules: [...MODULES, slow],
    files: { 'conf/mime.types': '', 'docs/a/x0': 'x' },
    config: 'TypesConfig conf/mime.types\n<Directory @ROOT@/docs>\nOptions +Indexes\n</Directory>',
  })
  t.teardown(() => server.close())
  for (let i = 1; i < 200; i++) writeFileSync(join(server.serverRoot, `docs/a/x${i}`), '')
  t.equal(links((await server.inject('/a/?V=1')).body).length, 201)
})
