import { DECLINED, ExpressionError, OK } from '@gatewright/api'
import t from 'tap'
import { Bench } from '../../mod_env/test/fakes/bench.ts'
import { type FakeRequest, fakeRequest } from '../../mod_env/test/fakes/request.ts'
import type { AliasConfig } from '../src/config.ts'
import alias from '../src/index.ts'

function translated(bench: Bench<AliasConfig, undefined>, uri: string): FakeRequest {
  const request = fakeRequest({ uri, contextPrefix: '' })
  bench.hook('translateName')(request)
  return request
}

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
  ['/rel/a.txt', '/srv/alias/a.txt', '/rel'],
  ['/relslash/a.txt', '/srv/alias/a.txt', '/relslash/'],
  ['/relm/a.txt', '/srv/alias/a.txt', ''],
  ['/dd/../a.txt', '/x/a.txt', ''],
  ['/esc/q', '/srv/$1/q', ''],
  ['/file', '/srv/a.txt', '/file'],
  ['/file/z', '/srv/a.txt/z', '/file'],
  ['/dbl/a.txt', '/srv/alias/a.txt', '//dbl'],
  ['*', '', ''],
]

for (const [uri, file, prefix] of MAPPED) {
  t.test(`${uri} maps to ${file === '' ? 'nothing' : file}`, async (t) => {
    const bench = new Bench(alias)
    t.equal(bench.main(...LINES), undefined)
    const request = fakeRequest({ uri, contextPrefix: '' })
    t.equal(bench.hook('translateName')(request), file === '' ? DECLINED : OK)
    t.equal(request.filename, file)
    t.equal(request.contextPrefix, prefix)
  })
}

t.test('the context of an alias is its prefix and its target; AliasMatch has none', async (t) => {
  const bench = new Bench(alias)
  bench.main(...LINES)
  t.match(translated(bench, '/img2/a.txt'), { contextPrefix: '/img2', contextDocumentRoot: '/srv/alias' })
  t.match(translated(bench, '/n/zzz'), { contextPrefix: '', contextDocumentRoot: '/srv/docs' })
})

t.test('the first alias that matches applies, those of a virtual host before those of the main server', async (t) => {
  const bench = new Bench(alias)
  bench.main('Alias /a /srv/one', 'Alias /a /srv/two')
  t.equal(translated(bench, '/a/x').filename, '/srv/one/x')
  bench.use(bench.virtualHost('Alias /a /srv/host').config)
  t.equal(translated(bench, '/a/x').filename, '/srv/host/x')
})

t.test('ScriptAlias sets the handler and permits CGI', async (t) => {
  const bench = new Bench(alias)
  bench.main('ScriptAlias /cgi-bin/ /srv/cgi/', 'ScriptAliasMatch ^/s/(.*) /srv/s/$1')
  for (const uri of ['/cgi-bin/x', '/s/x']) {
    const request = translated(bench, uri)
    t.equal(request.handler, 'cgi-script')
    t.equal(request.notes.get('alias-forced-type'), 'cgi-script')
  }
})

t.test('without AliasPreservePath every URL of a Location maps to the same file', async (t) => {
  const bench = new Bench(alias)
  bench.main('Alias /la /srv/elsewhere')
  bench.use(bench.in('Location', '/la', 'Alias /srv/alias'))
  t.equal(translated(bench, '/la/o.txt').filename, '/srv/alias')
})

t.test('with AliasPreservePath the rest of the URL is appended', async (t) => {
  const bench = new Bench(alias)
  const location = bench.in('Location', '/pp', 'Alias /srv/alias', 'AliasPreservePath On')
  bench.use(location)
  t.equal(translated(bench, '/pp/a.txt').filename, '/srv/alias/a.txt')
  t.match(translated(bench, '/pp/a.txt'), { contextPrefix: '/pp', contextDocumentRoot: '/srv/alias' })
  t.equal(translated(bench, '/pp').filename, '/srv/alias')
  bench.use(location, bench.in('Location', '/pp/x', 'AliasPreservePath Off'))
  t.equal(translated(bench, '/pp/x').filename, '/srv/alias')
})

t.test('an expression that fails is an internal error and is logged', async (t) => {
  const failing = {
    constant: undefined,
    of: (): string => {
      throw new ExpressionError('no such thing')
    },
  }
  const bench = new Bench(alias, { configServices: { text: () => failing } })
  bench.use(bench.in('Location', '/x', 'Alias %{x}'))
  const request = fakeRequest({ uri: '/x' })
  t.equal(bench.hook('translateName')(request), 500)
  t.match(bench.log, [{ level: 'error', code: 'AH02825', text: "Can't evaluate alias expression: no such thing" }])
})
