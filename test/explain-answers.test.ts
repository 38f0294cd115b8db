import { spawnSync } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { FileSource } from '@gatewright/core'
import { explain, PolicyServer } from '@gatewright/policy'
import alias from 'mod_alias'
import authzCore from 'mod_authz_core'
import authzHost from 'mod_authz_host'
import dir from 'mod_dir'
import headers from 'mod_headers'
import mime from 'mod_mime'
import rewrite from 'mod_rewrite'
import setenvif from 'mod_setenvif'
import unixd from 'mod_unixd'
import t from 'tap'
import { StagedServer } from './fixtures/staged-server.ts'

const skip = spawnSync('apache2', ['-v']).status === 0 ? false : 'needs apache2'
const DEBIAN_MODULES = '/usr/lib/apache2/modules'
const SOURCES = [authzCore, authzHost, dir, mime, alias, rewrite, setenvif, headers, unixd]

/** A question, and the line of the configuration that the explanation must name, if one changes the request. */
interface Case {
  readonly url: string
  readonly host?: string
  readonly from?: string
  readonly line?: RegExp
}

const CASES: readonly Case[] = [
  // Rewriting and virtual hosts.
  { url: '/occ', line: /^RewriteRule \^\/occ/ },
  { url: '/old/x?y=1', line: /^RewriteRule \^\/old/ },
  { url: '/gone', line: /^RewriteRule \^\/gone/ },
  { url: '/shut/x', line: /^RewriteRule \^\/shut/ },
  { url: '/inside', line: /^RewriteRule \^\/inside/ },
  { url: '/tree/nice/5', line: /^RewriteRule \^nice/ },
  { url: '/tree/away', line: /^RewriteRule \^away/ },
  { url: '/chained', line: /^RewriteRule \^\/chained/ },
  { url: '/only-agent', line: /^RewriteRule \^\/only/ },
  { url: '/', host: 'b.example' },
  { url: '/only-b', host: 'b.example' },
  { url: '/x', host: 'sub.wild.example', line: /^Redirect 410 / },
  { url: '/x', host: 'alias.example', line: /^Redirect 410 / },
  { url: '/', host: 'nobody.example' },
  // Aliases, redirects, folders and access.
  { url: '/al/a.txt', line: /^Alias "\/al"/ },
  { url: '/al', line: /^Alias "\/al"|^DirectorySlash/ },
  { url: '/am/a', line: /^AliasMatch/ },
  { url: '/moved', line: /^Redirect permanent/ },
  { url: '/seen/x', line: /^Redirect seeother/ },
  { url: '/rm/7', line: /^RedirectMatch/ },
  { url: '/d', line: /^DirectorySlash/ },
  { url: '/d/', line: /^DirectoryIndex/ },
  { url: '/empty/' },
  { url: '/fall/any/where', line: /^FallbackResource/ },
  { url: '/nothing' },
  { url: '/denied/a.txt' },
  { url: '/net/a.txt' },
  { url: '/net/a.txt', from: '127.0.0.2' },
  { url: '/envd/a.txt' },
  { url: '/missing-page/x', line: /^ErrorDocument 404/ },
  { url: '/d/index.html' },
  // No module runs programs: their files are sent, or missing, like others.
  { url: '/programs/there' },
  { url: '/programs/none', line: /^ScriptAlias/ },
  { url: '/located', line: /^Redirect "\/elsewhere"/ },
]

const FILES: Readonly<Record<string, string>> = {
  'index.html': 'home',
  'd/index.html': 'index',
  'empty/other.txt': 'x',
  'fall/front.html': 'front',
  'denied/a.txt': 'x',
  'net/a.txt': 'x',
  'envd/a.txt': 'x',
  'elsewhere/a.txt': 'x',
  'programs/there': 'x',
  'tree/page.html': 'page',
  'tree/.htaccess':
    'RewriteEngine On\nRewriteRule ^nice/(\\d+)$ page.html?n=$1\nRewriteRule ^away$ http://other.example/ [R=302,L]\n',
  'missing-page/.htaccess': 'ErrorDocument 404 /d/index.html\n',
  'b/index.html': 'b',
}

const RULES = [
  'TypesConfig conf/mime.types',
  '<Directory "@ROOT@/htdocs">',
  '  Options FollowSymLinks',
  '  AllowOverride All',
  '  Require all granted',
  '</Directory>',
  '<Directory "@ROOT@/htdocs/denied">',
  '  Require all denied',
  '</Directory>',
  '<Directory "@ROOT@/htdocs/net">',
  '  Require ip 127.0.0.2',
  '</Directory>',
  'SetEnvIf Request_URI "^/envd" letin',
  '<Directory "@ROOT@/htdocs/envd">',
  '  Require env letin',
  '</Directory>',
]

const HOSTS = [
  '<VirtualHost *:@PORT@>',
  '  ServerName a.example',
  '  DocumentRoot "@ROOT@/htdocs"',
  '  Alias "/al" "@ROOT@/htdocs/elsewhere"',
  '  AliasMatch "^/am/(.)$" "@ROOT@/htdocs/elsewhere/$1.txt"',
  '  ScriptAlias "/programs/" "@ROOT@/htdocs/programs/"',
  '  Redirect permanent "/moved" "http://new.example/"',
  '  Redirect seeother "/seen" "/d/"',
  '  RedirectMatch "^/rm/(\\d)$" "/d/$1"',
  '  DirectoryIndex index.html',
  '  <Directory "@ROOT@/htdocs/fall">',
  '    FallbackResource /fall/front.html',
  '  </Directory>',
  '  <Location "/located">',
  '    Redirect "/elsewhere"',
  '  </Location>',
  '  RewriteEngine On',
  '  RewriteRule ^/occ - [R=404,L]',
  '  RewriteRule ^/old/(.*)$ /d/$1 [R=301,L]',
  '  RewriteRule ^/gone$ - [G]',
  '  RewriteRule ^/shut - [F]',
  '  RewriteRule ^/inside$ /d/index.html',
  '  RewriteRule ^/chained$ /elsewhere/ [C]',
  '  RewriteRule ^(.*)$ $1a.txt',
  '  RewriteCond %{HTTP_USER_AGENT} ^explained$',
  '  RewriteRule ^/only-agent$ /d/index.html [L]',
  '</VirtualHost>',
  '<VirtualHost *:@PORT@>',
  '  ServerName b.example',
  '  DocumentRoot "@ROOT@/htdocs/b"',
  '</VirtualHost>',
  '<VirtualHost *:@PORT@>',
  '  ServerName c.example',
  '  ServerAlias alias.example *.wild.example',
  '  Redirect 410 "/x"',
  '</VirtualHost>',
]

t.test('explanations have the status and target of httpd, and name the line that acted', { skip }, async (t) => {
  const httpd = await StagedServer.make(t, 'apache2')
  // Its processes end with their parent only if it is asked to end.
  t.teardown(() => httpd.stop())
  for (const [name, content] of Object.entries(FILES)) httpd.file(`htdocs/${name}`, content)
  httpd.file('conf/mime.types', 'text/html html\ntext/plain txt\n')
  const rules = [...RULES, ...HOSTS].map((line) => line.replaceAll('@PORT@', String(httpd.port)))
  const names = ['authz_core', 'authz_host', 'dir', 'mime', 'alias', 'rewrite', 'setenvif', 'headers']
  httpd.configure(
    `LoadModule mpm_event_module ${DEBIAN_MODULES}/mod_mpm_event.so`,
    'DefaultRuntimeDir @ROOT@/logs',
    '<IfModule !mod_authz_core.c>',
    ...names.map((name) => `LoadModule ${name}_module ${DEBIAN_MODULES}/mod_${name}.so`),
    '</IfModule>',
    ...rules,
  )
  await httpd.start()
  const server = await PolicyServer.open({
    program: 'test',
    serverRoot: httpd.root,
    configFile: join(httpd.root, 'conf/httpd.conf'),
    defines: [],
    before: [],
    after: [],
    source: new FileSource(),
    environment: {},
    report: () => undefined,
    builtIn: SOURCES,
    skipDocumentRootCheck: false,
  })
  for (const one of CASES) {
    const { url, host = 'a.example', from = '127.0.0.1', line } = one
    const name = `${host}${url} from ${from}`
    const theirs = await answerOf(httpd.port, url, host, from)
    const question = {
      method: 'GET',
      target: url,
      host,
      client: from,
      localAddress: '127.0.0.1',
      localPort: httpd.port,
      credentials: null,
      headers: [['User-Agent', 'explained']] as const,
    }
    const ours = await explain(server, question, { asHttpd: () => Promise.resolve(server) })
    const location = ours.headers.find(([field]) => field.toLowerCase() === 'location')?.[1] ?? null
    t.strictSame({ status: ours.status, location }, theirs, name)
    if (line !== undefined)
      t.ok(
        ours.route.some((part) => line.test(part.line)),
        `${name}: ${ours.route.map((part) => part.line).join('; ')}`,
      )
  }
  await server.close()
})

function answerOf(
  port: number,
  path: string,
  host: string,
  localAddress: string,
): Promise<{ status: number; location: string | null }> {
  return new Promise((resolve, reject) => {
    const headers = { Host: host, 'User-Agent': 'explained' }
    const request = httpRequest({ host: '127.0.0.1', port, path, localAddress, headers, agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? null }))
    })
    request.on('error', reject)
    request.end()
  })
}
