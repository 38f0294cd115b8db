import { moduleLog } from '@gatewright/testing'
import t from 'tap'
import { type AliasServer, aliasServer, type Phase } from './support/phases.ts'

/** Status and Location that a phase sets for a request, `-` if it declines. */
async function redirected({ ask }: AliasServer, target: string, phase?: Phase): Promise<string> {
  const response = await ask(target, phase)
  if (response.status === 200 || response.status === 451) return '-'
  return [response.status, response.header('Location')].filter((part) => part !== undefined).join(' ')
}

const LINES = [
  'Redirect /old http://lab.test/new',
  'Redirect permanent /perm /newp',
  'Redirect gone /gone',
  'Redirect 403 /r403',
  'Redirect 301 /q http://lab.test/q?z=1',
  'RedirectMatch 301 ^/rm/(.*)\\.gif$ http://lab.test/x/$1.png?q=$1',
  'RedirectMatch ^/rme/(.*)$ "http://lab.test/a b/$1#f g"',
  'RedirectMatch ^/rmr/(.*)$ $1',
  'RedirectMatch 404 ^/rm404',
  'RedirectMatch ^/p80/(.*) http://h:80/$1',
  'RedirectMatch ^/p443/(.*) https://h:443/$1?',
  'RedirectMatch ^/v6/(.*) http://[::1]:81/$1',
  'RedirectMatch ^/nopath http://h',
  'RedirectMatch ^/frag http://h/a#b?c#d',
  'RedirectMatch ^/up HTTP://HOST:80/a',
  'RedirectMatch ^/q2 http://h/a?b?c',
  'RedirectMatch ^/one$ //host/x',
  'Redirect 999 /r999',
  'Redirect 308 /r308 /x',
  'Redirect 204 /r204',
  'RedirectTemp /temp http://t/',
  'RedirectPermanent /pm http://p/',
  'Redirect /pre "http://h/a b"',
  'RedirectMatch ^/crlf/(.*) http://h/?q=$1',
]

const SERVER: readonly (readonly [target: string, answer: string])[] = [
  ['/old', '302 http://lab.test/new'],
  ['/old/', '302 http://lab.test/new/'],
  ['/old/a b?q=1', '302 http://lab.test/new/a%20b?q=1'],
  ['/oldx', '-'],
  ['/perm/x', '301 http://host.test/newp/x'],
  ['/perm/x?q=%41', '301 http://host.test/newp/x?q=%41'],
  ['/gone/x', '410'],
  ['/r403', '403'],
  ['/q?r=2', '301 http://lab.test/q?z=1'],
  ['/q/w?r=2', '301 http://lab.test/q?z=1/w'],
  ['/rm/a/b.gif', '301 http://lab.test/x/a/b.png?q=a/b'],
  ['/rm/a/b %.gif?x=y', '301 http://lab.test/x/a/b%20%25.png?q=a/b %'],
  ['/rme/x y', '302 http://lab.test/a%20b/x%20y#f g'],
  ['/rmr/http:/u/', '302 http:/u/'],
  ['/rmr//x', '302 http://host.test/x'],
  ['/rmr/x', '500'],
  ['/rm404x', '404'],
  ['/p80/x', '302 http://h/x'],
  ['/p443/x?y', '302 https://h/x?'],
  ['/v6/x', '302 http://[::1]:81/x'],
  ['/nopath', '302 http://h'],
  ['/frag?q', '302 http://h/a#b?c#d'],
  ['/up', '302 HTTP://HOST/a'],
  ['/q2', '302 http://h/a?b?c'],
  ['/one', '302 http://host.test//host/x'],
  ['/r999', '500'],
  ['/r308', '308 http://host.test/x'],
  ['/r204', '204'],
  ['/temp', '302 http://t/'],
  ['/pm', '301 http://p/'],
  ['/pre/c?d', '302 http://h/a b/c?d'],
  ['/crlf/a\r\nSet-Cookie: x=1', '500'],
  [
    '/old/!"#$%&\'()*+,-.:;<=>@[\\]^_`{|}~\u00e9\u007f\u0001',
    "302 http://lab.test/new/!%22%23$%25&'()*+,-.:;%3c=%3e@%5b%5c%5d%5e_%60%7b%7c%7d~%e9%7f%01",
  ],
]

for (const [target, expected] of SERVER) {
  t.test(`a server with redirects answers ${JSON.stringify(target)} with ${expected}`, async (t) => {
    t.equal(await redirected(await aliasServer(t, LINES.join('\n')), target), expected)
  })
}

t.test('redirects of the server are tried before aliases, and are not applied again after access control', async (t) => {
  const aliases = await aliasServer(t, 'Alias /a /srv/a\nRedirect /a http://moved.test/')
  t.equal(await redirected(aliases, '/a'), '302 http://moved.test/')
  t.equal(await redirected(aliases, '/a', 'fixups'), '-')
})

t.test('a redirect with a path in a section applies only after access control', async (t) => {
  const config =
    '<Location /l>\nRedirect /l http://l.test/\n</Location>\n<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>'
  const aliases = await aliasServer(t, config, { 'docs/.htaccess': 'Redirect 404 /h' })
  t.equal(await redirected(aliases, '/l'), '-')
  t.equal(await redirected(aliases, '/l', 'fixups'), '302 http://l.test/')
  t.equal(await redirected(aliases, '/h/x', 'fixups'), '404')
})

const ONE_ARGUMENT: readonly (readonly [line: string, target: string, answer: string])[] = [
  ['Redirect http://lab.test/locnew', '/loc/x', '302 http://lab.test/locnew'],
  ['Redirect http://lab.test/locnew', '/loc/x?a', '302 http://lab.test/locnew?a'],
  ['Redirect "http://lab.test/%{REQUEST_URI}?q=1#x y"', '/loc/x y?a', '302 http://lab.test//loc/x%20y?q=1#x y'],
  ['Redirect b', '/loc/', '500'],
  ['Redirect 404', '/loc/x', '404'],
  ['Redirect permanent /there', '/loc/x', '301 http://host.test/there'],
]

for (const [line, target, expected] of ONE_ARGUMENT) {
  t.test(`${line} in a Location applies to all of it, in both phases`, async (t) => {
    const aliases = await aliasServer(t, `Redirect /loc http://listed.test/\n<Location /loc>\n${line}\n</Location>`)
    t.equal(await redirected(aliases, target), expected)
    t.equal(await redirected(aliases, target, 'fixups'), expected)
  })
}

t.test('RedirectRelative sends a path unchanged, with the query', async (t) => {
  const aliases = await aliasServer(t, '<Location /rr>\nRedirectRelative On\nRedirect /relative/x\n</Location>')
  t.equal(await redirected(aliases, '/rr/x?q'), '302 /relative/x?q')
})

t.test('rules of inner sections come first', async (t) => {
  const outer = '<Directory "@ROOT@">\nRedirect /x http://outer/\n</Directory>'
  const inner = '<Directory "@ROOT@/docs">\nRedirect /x http://inner/\n</Directory>'
  t.equal(await redirected(await aliasServer(t, `${outer}\n${inner}`), '/x', 'fixups'), '302 http://inner/')
})

t.test('log messages of each phase have their own codes', async (t) => {
  const section = '<Directory "@ROOT@/docs">\nRedirect /d /e\nRedirectMatch ^/f(.*) $1\n</Directory>'
  const aliases = await aliasServer(t, `Redirect /a /b\nRedirectMatch ^/c(.*) $1\n${section}`)
  await redirected(aliases, '/a')
  await redirected(aliases, '/cx')
  await redirected(aliases, '/d', 'fixups')
  await redirected(aliases, '/fx', 'fixups')
  t.same(moduleLog(aliases.server, 'alias'), [
    "debug AH00673: incomplete redirection target of '/b' for URI '/a' modified to 'http://host.test/b'",
    "error AH00674: cannot redirect '/cx' to 'x'; target is not a valid absoluteURI or abs_path",
    "debug AH00675: incomplete redirection target of '/e' for URI '/d' modified to 'http://host.test/e'",
    "error AH00676: cannot redirect '/fx' to 'x'; target is not a valid absoluteURI or abs_path",
  ])
})

t.test('an expression that fails is an internal error and is logged', async (t) => {
  const aliases = await aliasServer(t, '<Location /x>\nRedirect %{file:/nonexistent}\n</Location>')
  t.equal(await redirected(aliases, '/x'), '500')
  const message = "error AH02826: Can't evaluate redirect expression: Cannot open file /nonexistent"
  t.equal(moduleLog(aliases.server, 'alias').at(-1), message)
})
