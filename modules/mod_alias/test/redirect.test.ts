import { DECLINED, ExpressionError } from '@gatewright/api'
import t from 'tap'
import { Bench } from '../../mod_env/test/fakes/bench.ts'
import { fakeRequest } from '../../mod_env/test/fakes/request.ts'
import type { AliasConfig } from '../src/config.ts'
import alias from '../src/index.ts'

/** Status and Location after the translate phase; `-` if it declines. */
function redirected(
  bench: Bench<AliasConfig, undefined>,
  target: string,
  hook: 'translateName' | 'fixups' = 'translateName',
): string {
  const [uri, args] = target.split('?')
  const request = fakeRequest({ uri, args: args ?? null })
  const outcome = bench.hook(hook)(request)
  return outcome === DECLINED ? '-' : [outcome, request.headersOut.get('Location')].filter((part) => part !== undefined).join(' ')
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
    const bench = new Bench(alias)
    t.equal(bench.main(...LINES), undefined)
    t.equal(redirected(bench, target), expected)
  })
}

t.test('redirects of the server are tried before aliases, and are not applied again after access control', async (t) => {
  const bench = new Bench(alias)
  bench.main('Alias /a /srv/a', 'Redirect /a http://moved.test/')
  t.equal(redirected(bench, '/a'), '302 http://moved.test/')
  t.equal(redirected(bench, '/a', 'fixups'), '-')
})

t.test('a redirect with a path in a section applies only after access control', async (t) => {
  const bench = new Bench(alias)
  bench.use(bench.in('Location', '/l', 'Redirect /l http://l.test/'), bench.in('.htaccess', '/srv/.htaccess', 'Redirect 404 /h'))
  t.equal(redirected(bench, '/l'), '-')
  t.equal(redirected(bench, '/l', 'fixups'), '302 http://l.test/')
  t.equal(redirected(bench, '/h/x', 'fixups'), '404')
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
    const bench = new Bench(alias)
    bench.main('Redirect /loc http://listed.test/')
    bench.use(bench.in('Location', '/loc', line))
    t.equal(redirected(bench, target), expected)
    t.equal(redirected(bench, target, 'fixups'), expected)
  })
}

t.test('RedirectRelative sends a path unchanged, with the query', async (t) => {
  const bench = new Bench(alias)
  bench.use(bench.in('Location', '/rr', 'RedirectRelative On', 'Redirect /relative/x'))
  t.equal(redirected(bench, '/rr/x?q'), '302 /relative/x?q')
})

t.test('rules of inner sections come first', async (t) => {
  const bench = new Bench(alias)
  bench.use(
    bench.in('Directory', '/srv', 'Redirect /x http://outer/'),
    bench.in('Directory', '/srv/in', 'Redirect /x http://inner/'),
  )
  t.equal(redirected(bench, '/x', 'fixups'), '302 http://inner/')
})

t.test('log messages of each phase have their own codes', async (t) => {
  const bench = new Bench(alias)
  bench.main('Redirect /a /b', 'RedirectMatch ^/c(.*) $1')
  bench.use(bench.in('Directory', '/srv', 'Redirect /d /e', 'RedirectMatch ^/f(.*) $1'))
  redirected(bench, '/a')
  redirected(bench, '/cx')
  redirected(bench, '/d', 'fixups')
  redirected(bench, '/fx', 'fixups')
  t.match(bench.log, [
    {
      level: 'debug',
      code: 'AH00673',
      text: "incomplete redirection target of '/b' for URI '/a' modified to 'http://host.test/b'",
    },
    { level: 'error', code: 'AH00674', text: "cannot redirect '/cx' to 'x'; target is not a valid absoluteURI or abs_path" },
    {
      level: 'debug',
      code: 'AH00675',
      text: "incomplete redirection target of '/e' for URI '/d' modified to 'http://host.test/e'",
    },
    { level: 'error', code: 'AH00676', text: "cannot redirect '/fx' to 'x'; target is not a valid absoluteURI or abs_path" },
  ])
})

t.test('an expression that fails is an internal error and is logged', async (t) => {
  const failing = {
    constant: undefined,
    of: (): string => {
      throw new ExpressionError('no such thing')
    },
  }
  const bench = new Bench(alias, { configServices: { text: () => failing } })
  bench.use(bench.in('Location', '/x', 'Redirect %{x}'))
  t.equal(redirected(bench, '/x'), '500')
  t.match(bench.log, [{ level: 'error', code: 'AH02826', text: "Can't evaluate redirect expression: no such thing" }])
})
