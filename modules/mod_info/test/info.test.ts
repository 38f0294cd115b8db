import { type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import { configDump } from '../src/config-dump.ts'
import info from '../src/index.ts'
import { shownLines } from '../src/shown-line.ts'

const CONFIG = `TypesConfig conf/mime.types
AddModuleInfo mod_mime.c "see <a href=\\"/notes\\">our notes</a>"
<Directory "@ROOT@/docs">
  Options None
  <Files "*.x&y">
    AddType text/html .x
  </Files>
</Directory>
<IfModule mod_mime.c>
AddType a/<script> .s
</IfModule>
<Location "/server-info">
SetHandler server-info
</Location>
`

async function server(t: Test, config = CONFIG, files: SiteOptions['files'] = {}): Promise<TestServer> {
  const started = await site({
    modules: [authzCore, mime, info],
    config,
    files: { 'conf/mime.types': 'text/html html\n', 'docs/f.txt': 'f', ...files },
  })
  t.teardown(() => started.close())
  return started
}

/** A part of the page, without its head and style sheet. */
async function part({ inject }: TestServer, query: string): Promise<string> {
  const { status, body } = await inject(`/server-info${query}`)
  t.equal(status, 200, query)
  return body.slice(body.indexOf('Apache Server Information</h1>\n') + 'Apache Server Information</h1>\n'.length)
}

t.test("the configuration is shown with files and lines, in httpd's markup", async (t) => {
  const started = await server(t)
  const root = started.serverRoot
  const shown = await part(started, '?config')
  t.match(shown, /^<dl><dt><strong>Configuration:<\/strong>\n<dd>/)
  t.match(shown, `<dd><tt><strong>In file: ${root}/conf/httpd.conf</strong></tt></dd>\n`)
  t.match(
    shown,
    `<dd><tt>&nbsp;&nbsp;&nbsp;5:&nbsp;&lt;Directory &quot;${root}/docs&quot;&gt;</tt></dd>\n` +
      '<dd><tt>&nbsp;&nbsp;&nbsp;6:&nbsp;&nbsp;&nbsp;Options <i>None</i></tt></dd>\n' +
      '<dd><tt>&nbsp;&nbsp;&nbsp;7:&nbsp;&nbsp;&nbsp;&lt;Files &quot;*.x&amp;y&quot;&gt;</tt></dd>\n' +
      '<dd><tt>&nbsp;&nbsp;&nbsp;8:&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;AddType <i>text/html .x</i></tt></dd>\n' +
      '<dd><tt>&nbsp;&nbsp;&nbsp;&nbsp;:&nbsp;&nbsp;&nbsp;&lt;/Files&gt;</tt></dd><dd><tt>&nbsp;&nbsp;&nbsp;&nbsp;:&nbsp;&lt;/Directory&gt;</tt></dd>' +
      '<dd><tt>&nbsp;&nbsp;12:&nbsp;AddType <i>a/&lt;script&gt; .s</i></tt></dd>\n',
  )
})

t.test("the page of one module shows its lines, its phases, and the administrator's text", async (t) => {
  const shown = await part(await server(t), '?MOD_MIME.c')
  t.match(
    shown,
    '<dl><dt><a name="mod_mime.c"><strong>Module Name:</strong></a> <font size="+1"><tt><a href="?mod_mime.c">mod_mime.c</a></tt></font></dt>\n' +
      '<dt><strong>Content handlers:</strong> <tt> <em>none</em></tt></dt>',
  )
  t.match(shown, '<dt><strong>Request Phase Participation:</strong>\n<tt>Check Type</tt></dt>')
  t.match(shown, '<dd><tt>RemoveType - <i>')
  t.match(shown, 'AddType <i>text/html .x</i>')
  t.notMatch(shown, 'Options <i>')
  t.match(shown, '<dd>see <a href="/notes">our notes</a></dd></dl><hr />')
})

t.test('the other parts are shown alone and together', async (t) => {
  const started = await server(t)
  t.match(
    await part(started, '?list'),
    /^<dl><dt>Server Module List<\/dt><dd>core\.c<\/dd>(<dd>[\w.]+<\/dd>)+<\/dl><hr \/><\/body><\/html>\n$/,
  )
  t.match(await part(started, '?server'), /<dt><strong>Module Magic Number:<\/strong> <tt>20120211:\d+<\/tt><\/dt>\n/)
  t.match(await part(started, '?hooks'), '&nbsp;&nbsp; 10 <a href="?mod_mime.c">mod_mime.c</a> <br/>')
  t.match(await part(started, '?providers'), '<dt><strong>authz</strong> (version <tt>0</tt>):')
  t.equal(await part(started, '?nosuch'), '</body></html>\n')
  const all = await part(started, '')
  for (const anchor of ['modules', 'server', 'startup_hooks', 'request_hooks', 'other_hooks', 'providers', 'mod_info.c']) {
    t.match(all, `<a name="${anchor}">`, anchor)
  }
})

t.test('a secret is not shown', async (t) => {
  const line = { name: 'AuthLDAPBindPassword', text: '"tell nobody"', file: 'f', line: 1, source: 'x.c', children: null }
  t.strictSame([...shownLines([line], null)].at(-1), {
    kind: 'directive',
    line: 1,
    depth: 0,
    name: 'AuthLDAPBindPassword',
    text: '********',
  })
})

t.test('other methods than GET are declined, and the page has the access control of its section', async (t) => {
  const { inject } = await server(t, `${CONFIG}<Location "/server-info/closed">\nRequire all denied\n</Location>`)
  t.not((await inject({ target: '/server-info', method: 'POST' })).status, 200)
  t.equal((await inject('/server-info/closed')).status, 403)
})

t.test('-D DUMP_CONFIG prints the configuration with comments about the position of each line', async (t) => {
  const leaf = { name: 'AddType', text: 'a/b .c', file: '/b.conf', line: 12, source: 'mod_mime.c', children: null }
  const container = {
    name: '<Location',
    text: '/x>',
    file: '/a.conf',
    line: 3,
    source: 'core.c',
    children: [{ ...leaf, file: '/a.conf' }],
  }
  t.strictSame(configDump([container, leaf]), [
    '# In file: /a.conf',
    '#   3:',
    '<Location /x>',
    '  #  12:',
    '  AddType a/b .c',
    '</Location>',
    '# In file: /b.conf',
    '#  12:',
    'AddType a/b .c',
  ])
})

t.test('?json is one object with the same contents: the tree of the configuration, with file and line', async (t) => {
  const { inject, serverRoot } = await server(t)
  const { headers, body } = await inject('/server-info?json')
  const fields = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
  t.equal(fields.get('content-type'), 'application/json')
  t.equal(fields.get('cache-control'), 'no-store')
  const { server: facts, modules, hooks, providers, config } = JSON.parse(body)
  t.match(facts, { serverRoot, mpm: 'event' })
  t.ok(modules.some((module: { source: string }) => module.source === 'mod_mime.c'))
  t.match(
    hooks.find((hook: { name: string }) => hook.name === 'typeChecker'),
    { functions: [{ source: 'mod_mime.c' }] },
  )
  t.ok(providers.authz.includes('all'))
  const folder = config.find((line: { section?: string }) => line.section === 'Directory')
  t.match(folder, { arguments: `"${serverRoot}/docs"`, line: 5, module: 'core.c' })
  t.match(folder.lines[1].lines[0], { directive: 'AddType', arguments: 'text/html .x', line: 8, module: 'mod_mime.c' })
})
