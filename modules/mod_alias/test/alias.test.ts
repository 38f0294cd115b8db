import { moduleLog } from '@gatewright/testing'
import t from 'tap'
import { aliasServer } from './support/phases.ts'

const LINES = [
  'Alias /img2 /srv/alias',
  'Alias /img/ /srv/alias/',
  'AliasMatch ^/n/ /srv/alias/',
  'AliasMatch ^/am/(.*)\\.x$ /srv/alias/$1.txt',
  'AliasMatch ^/amp/(.*)$ /srv/&/$0',
  'Alias /rel alias',
  'Alias /relslash/ alias/',
  'AliasMatch ^/relm/(.*) alias/$1',
  'AliasMatch ^/dd/(.)(.)/(.*) /srv/$1$2/x/$3',
  'AliasMatch ^/esc/(.*) /srv/\\\\$1/$1$9',
  'Alias /file /srv/a.txt',
  'Alias //dbl /srv/alias',
]

const MAPPED: readonly (readonly [uri: string, file: string, prefix: string])[] = [
  ['/img2', '/srv/alias', '/img2'],
  ['/img2/a.txt', '/srv/alias/a.txt', '/img2'],
  ['/img2//sub/b.txt', '/srv/alias//sub/b.txt', '/img2'],
  ['/img2x', '', ''],
  ['/img', '', ''],
  ['/img/', '/srv/alias/', '/img/'],
  ['/img//a.txt', '/srv/alias/a.txt', '/img/'],
  ['/n/zzz', '/srv/alias/', ''],
  ['/am/sub/b.x', '/srv/alias/sub/b.txt', ''],
  ['/amp/q', '/srv/&/amp/q', ''],
  ['/rel/a.txt', 'RELATIVE/alias/a.txt', '/rel'],
  ['/relslash/a.txt', 'RELATIVE/alias/a.txt', '/relslash/'],
  ['/relm/a.txt', 'RELATIVE/alias/a.txt', ''],
  ['/dd/../a.txt', '/x/a.txt', ''],
  ['/esc/q', '/srv/$1/q', ''],
  ['/file', '/srv/a.txt', '/file'],
  ['/file/z', '/srv/a.txt/z', '/file'],
  ['/dbl/a.txt', '/srv/alias/a.txt', '//dbl'],
  ['*', '', ''],
]

for (const [uri, file, prefix] of MAPPED) {
  t.test(`${uri} maps to ${file === '' ? 'nothing' : file}`, async (t) => {
    const { server, mapped } = await aliasServer(t, LINES.join('\n'))
    const { filename, contextPrefix } = await mapped(uri)
    // The alias declines, so the document root applies.
    if (file === '') t.match(filename, new RegExp(`^(?:${server.serverRoot}/docs|$)`))
    else t.equal(filename, file.replace(/^RELATIVE/, server.serverRoot))
    t.equal(contextPrefix, prefix)
  })
}

t.test('the context of an alias is its prefix and its target; AliasMatch has none', async (t) => {
  const { mapped } = await aliasServer(t, LINES.join('\n'))
  t.match(await mapped('/img2/a.txt'), { contextPrefix: '/img2', contextDocumentRoot: '/srv/alias' })
  t.match(await mapped('/n/zzz'), { contextPrefix: '', contextDocumentRoot: '' })
})

t.test('the first alias that matches applies, those of a virtual host before those of the main server', async (t) => {
  const main = 'Alias /a /srv/one\nAlias /a /srv/two'
  const host = '<VirtualHost *:80>\nServerName vhost.test\nAlias /a /srv/host\n</VirtualHost>'
  const { mapped } = await aliasServer(t, `${main}\n<VirtualHost *:80>\nServerName host.test\n</VirtualHost>\n${host}`)
  t.equal((await mapped('/a/x')).filename, '/srv/one/x')
  t.equal((await mapped('/a/x', 'vhost.test')).filename, '/srv/host/x')
})

t.test('ScriptAlias sets the handler and permits CGI', async (t) => {
  const { mapped } = await aliasServer(t, 'ScriptAlias /cgi-bin/ /srv/cgi/\nScriptAliasMatch ^/s/(.*) /srv/s/$1')
  for (const uri of ['/cgi-bin/x', '/s/x']) {
    t.match(await mapped(uri), { handler: 'cgi-script', forcedType: 'cgi-script' })
  }
})

t.test('without AliasPreservePath every URL of a Location maps to the same file', async (t) => {
  const location = '<LocationMatch .>\nAlias /srv/alias\n</LocationMatch>'
  const { mapped } = await aliasServer(t, `Alias /la /srv/elsewhere\n${location}`)
  t.equal((await mapped('/la/o.txt')).filename, '/srv/alias')
})

t.test('with AliasPreservePath the rest of the URL is appended', async (t) => {
  const outer = '<Location /pp>\nAlias /srv/alias\nAliasPreservePath On\n</Location>'
  const inner = '<Location /pp/x>\nAliasPreservePath Off\n</Location>'
  const { mapped } = await aliasServer(t, `${outer}\n${inner}`)
  t.match(await mapped('/pp/a.txt'), { filename: '/srv/alias/a.txt', contextPrefix: '/pp', contextDocumentRoot: '/srv/alias' })
  t.equal((await mapped('/pp')).filename, '/srv/alias')
  t.equal((await mapped('/pp/x')).filename, '/srv/alias')
})

t.test('an expression that fails is an internal error and is logged', async (t) => {
  const { server } = await aliasServer(t, '<Location /x>\nAlias %{file:/nonexistent}\n</Location>')
  t.equal((await server.inject('/x')).status, 500)
  const message = "error AH02825: Can't evaluate alias expression: Cannot open file /nonexistent"
  t.equal(moduleLog(server, 'alias').at(-1), message)
})
