import { chmodSync } from 'node:fs'
import { type AnyModule, DECLINED, defineModule, OK } from '@gatewright/api'
import { openDbmWriter } from '@gatewright/dbm'
import { type FileTree, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import rewrite from '../src/index.ts'

/** Grants every request, and finds the user of `/members` only after a delay. */
const door: AnyModule = defineModule({
  name: 'door_module',
  source: 'mod_door.c',
  register({ hooks }) {
    hooks.accessCheckerEx.add(() => OK)
    hooks.fixups.add((request) => {
      if (!request.uri.startsWith('/members')) return DECLINED
      return new Promise((resolve) => {
        setImmediate(() => {
          request.user = 'erna'
          resolve(OK)
        })
      })
    })
    hooks.handler.add((request) => {
      if (request.uri !== '/variables' && !request.uri.startsWith('/d/variables')) return DECLINED
      return request.send('text/plain', [...request.env].map(([name, value]) => `${name}=${value}\n`).join(''))
    })
  },
})

const FILES: FileTree = {
  'docs/target.txt': 'target',
  'docs/d/here.txt': 'here',
  'docs/members/list.txt': 'list',
  'docs/members.txt': 'members',
}

async function serve(t: Test, config: string, files: FileTree = {}): Promise<TestServer> {
  const server = await site({ modules: [door, rewrite], config, files: { ...FILES, ...files } })
  t.teardown(() => server.close())
  return server
}

/** Status and Location, or the body. */
async function answer(server: TestServer, target: string): Promise<string> {
  const { status, body, header } = await server.inject({ target, headers: { Host: 'localhost' } })
  const location = header('Location')
  return location === undefined ? `${status} ${status === 200 ? body : ''}`.trim() : `${status} ${location}`
}

t.test('a look-ahead that has to wait delays this request alone, and is done once', async (t) => {
  const server = await serve(
    t,
    `RewriteEngine On
     RewriteCond %{LA-U:REMOTE_USER} ^er(.)a$
     RewriteRule ^/members/(.*) /$1?user=%{LA-U:REMOTE_USER}&letter=%1 [R,L]`,
  )
  const [waited, other] = await Promise.all([answer(server, '/members/list.txt'), answer(server, '/target.txt')])
  t.equal(waited, '302 http://localhost/list.txt?user=erna&letter=n')
  t.equal(other, '200 target')
})

t.test('-U and -F wait as well', async (t) => {
  const server = await serve(
    t,
    `RewriteEngine On
     RewriteCond /members/list.txt -U
     RewriteCond %{DOCUMENT_ROOT}/target.txt -F
     RewriteCond %{DOCUMENT_ROOT}/nowhere !-F
     RewriteRule ^/both$ /target.txt [L]`,
  )
  t.equal(await answer(server, '/both'), '200 target')
})

t.test('an END in a directory ends rewriting for the redirect that follows, L does not', async (t) => {
  const rules = (flag: string): string => `RewriteEngine On\nRewriteRule ^a$ b [${flag}]\nRewriteRule ^b$ here.txt [L]\n`
  const ended = await serve(t, '<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>', { 'docs/d/.htaccess': rules('END') })
  const again = await serve(t, '<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>', { 'docs/d/.htaccess': rules('L') })
  t.equal(await answer(ended, '/d/a'), '404')
  t.equal(await answer(again, '/d/a'), '200 here')
  t.equal(await answer(ended, '/d/b'), '200 here', 'another request is not meant')
})

t.test('a loop of a directory ends after LimitInternalRecursion rounds', async (t) => {
  const server = await serve(t, 'LimitInternalRecursion 3\n<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>', {
    'docs/d/.htaccess': 'RewriteEngine On\nRewriteRule ^(.*)$ x$1\n',
  })
  t.equal(await answer(server, '/d/a'), '500')
  const message = server.errors().find((line) => line.includes('AH00124'))
  t.match(message, /exceeded the limit of 3 internal redirects/)
})

t.test('variables of a rule reach the target as REDIRECT_ variables', async (t) => {
  const server = await serve(t, '<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>', {
    'docs/d/.htaccess': 'RewriteEngine On\nRewriteRule ^a$ variables [E=FOUND:yes,E=!SCRIPT_URL,L]\n',
  })
  const { body } = await server.inject({ target: '/d/a' })
  t.match(body, /^REDIRECT_FOUND=yes$/m)
  t.match(body, /^REDIRECT_STATUS=200$/m)
  t.notMatch(body, /^REDIRECT_URL=/m, 'as in httpd, which sets it for programs only')
})

t.test('a path that a client sent is not one of the file system unless the rule allows it', async (t) => {
  const server = await serve(
    t,
    `RewriteEngine On
     RewriteRule ^/given(/.*)$ $1 [L]
     RewriteRule ^/unsafe(/.*)$ $1 [L,UnsafePrefixStat]
     RewriteRule ^/written/(.*)$ "@ROOT@/secret/$1" [L]
     <Directory "@ROOT@/secret">
     </Directory>`,
    { 'secret/s.txt': 'secret' },
  )
  const root = server.serverRoot
  t.equal(await answer(server, `/given${root}/secret/s.txt`), '404')
  t.equal(await answer(server, `/unsafe${root}/secret/s.txt`), '200 secret')
  t.equal(await answer(server, '/written/s.txt'), '200 secret')
})

t.test('a question mark that a client encoded does not begin a query', async (t) => {
  const server = await serve(
    t,
    `RewriteEngine On
     RewriteRule ^/last/(.*)$ /$1?z [QSL,R,L]
     RewriteRule ^/safe/(.*)$ /$1 [L]
     RewriteRule ^/unsafe/(.*)$ /$1 [L,UnsafeAllow3F]
     RewriteRule ^/query/(.*)$ /target.txt?q=$1 [L]
     RewriteRule ^/escaped/(.*)$ /none-$1 [B,L]`,
  )
  t.equal(await answer(server, '/last/x%3fy'), '302 http://localhost/x%3fy?z', 'the rule wrote the last one itself')
  t.equal(await answer(server, '/safe/target.txt%3fx'), '403')
  t.equal(await answer(server, '/unsafe/target.txt%3Fx'), '200 target')
  t.equal(await answer(server, '/query/a%3fb'), '200 target')
  t.equal(await answer(server, '/escaped/a%3fb'), '404')
})

t.test('a program answers keys line by line, and the default replaces a missing answer', async (t) => {
  const server = await serve(
    t,
    'RewriteEngine On\nRewriteMap p "prg:/bin/sh @ROOT@/map.sh"\nRewriteRule ^/p/(.*) /x/${p:$1|none} [R]',
    {
      'map.sh': 'while read key; do case $key in no) echo NULL;; *) echo "got-$key";; esac; done\n',
    },
  )
  t.strictSame(await Promise.all(['/p/a', '/p/no', '/p/b', '/p/a%0ab'].map((target) => answer(server, target))), [
    '302 http://localhost/x/got-a',
    '302 http://localhost/x/none',
    '302 http://localhost/x/got-b',
    '302 http://localhost/x/none',
  ])
})

t.test('a program that ends gives no answer, and is started again for the next key', async (t) => {
  const server = await serve(
    t,
    'RewriteEngine On\nRewriteMap p "prg:/bin/sh @ROOT@/map.sh"\nRewriteRule ^/p/(.*) /x/${p:$1|none} [R]',
    {
      'map.sh': 'read key; case $key in end) exit 1;; *) echo "got-$key";; esac\n',
    },
  )
  t.equal(await answer(server, '/p/end'), '302 http://localhost/x/none')
  t.equal(await answer(server, '/p/a'), '302 http://localhost/x/got-a')
})

t.test('a DBM file answers keys', async (t) => {
  const dir = t.testdir({})
  const writer = openDbmWriter(`${dir}/map`, 'sdbm', 'create')
  writer.replace(Buffer.from('key'), Buffer.from('value'))
  writer.close()
  for (const end of ['.dir', '.pag']) chmodSync(`${dir}/map${end}`, 0o644)
  const server = await serve(t, `RewriteEngine On\nRewriteMap m "dbm=sdbm:${dir}/map"\nRewriteRule ^/m/(.*) /x/\${m:$1|none} [R]`)
  t.equal(await answer(server, '/m/key'), '302 http://localhost/x/value')
  t.equal(await answer(server, '/m/other'), '302 http://localhost/x/none')
})

t.test('conditions on header fields are listed in Vary, unless flag NV is set, also after an internal redirect', async (t) => {
  const server = await serve(t, '<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>', {
    'docs/d/.htaccess': `RewriteEngine On
RewriteCond %{HTTP:X-Kind} a
RewriteRule ^told$ here.txt [L]
RewriteCond %{HTTP:X-Kind} a [NV]
RewriteRule ^untold$ here.txt [L]
RewriteCond expr "%{HTTP:X-Kind} == 'a'" [NV]
RewriteRule ^expression$ here.txt [L]
`,
  })
  const vary = async (target: string): Promise<string | undefined> =>
    (await server.inject({ target, headers: { 'X-Kind': 'a' } })).header('Vary')
  t.equal(await vary('/d/told'), 'X-Kind')
  t.equal(await vary('/d/untold'), undefined)
  t.equal(await vary('/d/expression'), undefined)
})

t.test('without a proxy nothing is fetched', async (t) => {
  const server = await serve(t, 'RewriteEngine On\nRewriteRule ^/p http://other.test/ [P]')
  t.equal(await answer(server, '/p'), '403')
  t.ok(server.errors().some((line) => /AH00669: attempt to make remote request .*: proxy:http:\/\/other\.test\//.test(line)))
})

/**
 * A place for a line that controls whether the rules of the server are applied, and whether it decides there.
 */
const SWITCHES: readonly (readonly [string, boolean])[] = [
  ['Location /d', true],
  ['LocationMatch "^/d/"', true],
  ['If true', true],
  ['If "%{REQUEST_URI} =~ m#here#"', true],
  ['Location /members', false],
  ['If false', false],
  ['Files here.txt', false],
  ['Directory @ROOT@/docs/d', false],
  ['DirectoryMatch docs/d', false],
]

for (const [opening, decides] of SWITCHES) {
  t.test(`RewriteEngine in <${opening}> ${decides ? 'decides' : 'does not decide'} about the rules of the server`, async (t) => {
    const section = (state: string): string => `<${opening}>\nRewriteEngine ${state}\n</${opening.split(' ')[0]}>\n`
    const rule = 'RewriteRule ^/d/here\\.txt - [G]\n'
    for (const before of ['', 'RewriteEngine Off\n']) {
      t.equal(await answer(await serve(t, `${before}${rule}${section('On')}`), '/d/here.txt'), decides ? '410' : '200 here')
      t.equal(await answer(await serve(t, `${rule}${section('On')}${before}`), '/d/here.txt'), decides ? '410' : '200 here')
    }
    t.equal(
      await answer(await serve(t, `RewriteEngine On\n${rule}${section('Off')}`), '/d/here.txt'),
      decides ? '200 here' : '410',
    )
  })
}

t.test('a host with lines only in sections has rules of its own: those that the server hands down', async (t) => {
  const rule = 'RewriteRule ^/d/here\\.txt - [G]\n'
  const location = '<Location />\nRewriteEngine On\n</Location>\n'
  const host = (lines: string): string => `<VirtualHost *>\nDocumentRoot @ROOT@/docs\n${lines}</VirtualHost>\n`
  for (const [config, expected] of [
    [`RewriteEngine On\n${rule}${host('')}`, '200 here'],
    [`RewriteEngine On\n${rule}${host(location)}`, '200 here'],
    [`RewriteOptions InheritDown\n${rule}${host(location)}`, '410'],
    [`RewriteOptions InheritDown\n${rule}${host('<Location /none>\nRewriteEngine On\n</Location>\n')}`, '200 here'],
    [`RewriteEngine On\n${rule}${host('RewriteOptions Inherit\n')}`, '410'],
    [`RewriteOptions InheritDown\n${rule}${host(`${location}RewriteOptions IgnoreInherit\n`)}`, '200 here'],
    [`RewriteOptions InheritDown\nRewriteEngine On\n${rule}${host('')}`, '200 here'],
  ]) {
    t.equal(await answer(await serve(t, config), '/d/here.txt'), expected, config)
  }
})

t.test('rules of a folder that may not follow links refuse nothing after END', async (t) => {
  const config =
    'RewriteEngine On\nRewriteRule ^/end(.*) /d$1 [END]\nRewriteRule ^/last(.*) /d$1 [L]\n<Directory "@ROOT@/docs/d">\nOptions None\nRewriteEngine On\nRewriteRule ^nothing$ -\n</Directory>'
  const { inject } = await serve(t, config)
  t.equal((await inject('/end/here.txt')).body, 'here')
  t.equal((await inject('/last/here.txt')).status, 403)
})

t.test('a look-ahead by file in a section without a folder looks the path up as a URL', async (t) => {
  const server = await serve(
    t,
    `<If "%{REQUEST_URI} == '/d/'">
     RewriteEngine On
     RewriteCond %{LA-F:REQUEST_URI} ^/
     RewriteRule . /target.txt
     </If>`,
  )
  t.equal(await answer(server, '/d/'), '200 target')
})

t.test('a section in a .htaccess file does not give its virtual host the rules of the main server', async (t) => {
  const config = `RewriteEngine On
    RewriteOptions InheritDownBefore
    RewriteRule ^/d/here.txt$ /target.txt
    <VirtualHost *>
    ServerName other.test
    DocumentRoot @ROOT@/docs
    <Directory @ROOT@/docs>
    AllowOverride All
    </Directory>
    </VirtualHost>`
  const files = { 'docs/d/.htaccess': '<Files "*">\nRewriteRule ^zzz /none\n</Files>' }
  const server = await serve(t, config, files)
  for (const attempt of [1, 2]) {
    const { body } = await server.inject({ target: '/d/here.txt', headers: { Host: 'other.test' } })
    t.equal(body, 'here', `request ${attempt}`)
  }
})
