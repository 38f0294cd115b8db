import { ExpressionError } from '@gatewright/api'
import t from 'tap'
import { Bench, type BenchOptions } from '../../mod_env/test/fakes/bench.ts'
import { FakeFields, type FakeRequest, fakeRequest, tableOf } from '../../mod_env/test/fakes/request.ts'
import type { SetenvifConfig } from '../src/config.ts'
import setenvif from '../src/index.ts'

type SetenvifBench = Bench<SetenvifConfig, undefined>

function bench(options: BenchOptions, ...lines: string[]): SetenvifBench {
  const made = new Bench(setenvif, options)
  const error = made.main(...lines)
  if (error !== undefined) throw new Error(error)
  return made
}

/** Variables after the rules of the server have run. */
function variables(made: SetenvifBench, changes: Partial<FakeRequest> = {}): Record<string, string> {
  const request = fakeRequest({ uri: '/a.txt', ...changes })
  made.hook('postReadRequest')(request)
  return Object.fromEntries(request.env)
}

t.test('the directive table says where each directive may stand', async (t) => {
  t.same(Object.keys(setenvif.directives ?? {}), [
    'SetEnvIf',
    'SetEnvIfNoCase',
    'BrowserMatch',
    'BrowserMatchNoCase',
    'SetEnvIfExpr',
  ])
  for (const { kind, context, override } of Object.values(setenvif.directives ?? {})) {
    t.equal(kind, 'raw')
    t.same(context, ['server', 'virtualhost', 'directory', 'htaccess'])
    t.equal(override, 'FileInfo')
  }
})

const ERRORS: readonly (readonly [line: string, error: string | undefined])[] = [
  ['SetEnvIf', 'Missing header-field name for SetEnvIf'],
  ['SetEnvIf "" a b', 'Missing header-field name for SetEnvIf'],
  ['SetEnvIf a', 'Missing regular expression for SetEnvIf'],
  ['SetEnvIf a b', 'Missing envariable expression for SetEnvIf'],
  ['SetEnvIf a b ""', 'Missing envariable expression for SetEnvIf'],
  ['SetEnvIf a ( c', 'SetEnvIf regex could not be compiled.'],
  ['SetEnvIf ^( b c', 'SetEnvIfHeader name regex could not be compiled.'],
  ['SetEnvIf OID(1.2 a b', 'SetEnvIfHeader name regex could not be compiled.'],
  ['SetEnvIf OID(1.2) a b', undefined],
  ['SetEnvIf a b !', undefined],
  ['SetEnvIfNoCase a ( b', 'SetEnvIfNoCase regex could not be compiled.'],
  ['BrowserMatch', 'Missing regular expression for BrowserMatch'],
  ['BrowserMatch a', 'Missing envariable expression for BrowserMatch'],
  ['BrowserMatch ( b', 'BrowserMatch regex could not be compiled.'],
  ['BrowserMatchNoCase', 'Missing regular expression for BrowserMatchNoCase'],
  ['SetEnvIfExpr', 'Missing expression for SetEnvIfExpr'],
  ['SetEnvIfExpr "bad %{" c', 'Could not parse expression "bad %{": syntax error'],
  ['SetEnvIfExpr true', 'Missing envariable expression for SetEnvIfExpr'],
]

for (const [line, expected] of ERRORS) {
  t.test(`${line} is ${expected === undefined ? 'accepted' : 'an error'}`, async (t) => {
    t.equal(new Bench(setenvif).main(line), expected)
  })
}

const agent = (text: string): Partial<FakeRequest> => ({ headersIn: new FakeFields({ 'User-Agent': text }) })
const field = (text: string): Partial<FakeRequest> => ({ headersIn: new FakeFields({ 'X-A': text }) })

const RULES: readonly (readonly [line: string, changes: Partial<FakeRequest>, variables: Record<string, string>])[] = [
  ['SetEnvIf Remote_Addr ^192 A', {}, { A: '1' }],
  ['SetEnvIf remote_host ^192 B="h $0"', {}, { B: '"h', '$0"': '1' }],
  ['SetEnvIf SERVER_ADDR 192\\.0\\.2\\.1 C', {}, { C: '1' }],
  ['SetEnvIf Request_Method ^G(.) D=$1$2x', {}, { D: 'Ex' }],
  ['SetEnvIf Request_Protocol HTTP/1\\.1 E', {}, { E: '1' }],
  ['SetEnvIf Request_URI (.*) F=$1', {}, { F: '/a.txt' }],
  ['SetEnvIf Request_URI \\.txt$ F', {}, { F: '1' }],
  ['SetEnvIf Request_URI \\.tx$ F', {}, {}],
  ['SetEnvIf X-None ^$ G', {}, { G: '1' }],
  ['SetEnvIf X-A ^$ G', field('x'), {}],
  ['SetEnvIf X-A ^abc$ G', field('abc'), { G: '1' }],
  ['SetEnvIf X-A ^abc$ G', field('abcd'), {}],
  ['SetEnvIf x-a a K= L=a=b N==c !M', { ...field('abc'), env: tableOf({ M: 'x' }) }, { K: '1', L: 'a=b', N: 'c' }],
  ['SetEnvIf User-Agent b M=$1 N=\\$1 O=&', agent('moz b'), { M: '$1', N: '\\$1', O: '&' }],
  ['SetEnvIf User-Agent ^moz M=$0 N=\\$1', agent('moz b'), { M: 'moz', N: '$1' }],
  ['BrowserMatch moz Q', agent('a moz b'), { Q: '1' }],
  ['BrowserMatch MOZ Q', agent('a moz b'), {}],
  ['BrowserMatchNoCase MOZ R', agent('a moz b'), { R: '1' }],
  ['BrowserMatchNoCase ^A R', agent('a moz b'), { R: '1' }],
  ['SetEnvIfNoCase x-a A T=$0', field('abc'), { T: '$0' }],
  ['SetEnvIf X-A a "U=two words" \'V=a\'', field('a'), { U: 'two words', V: 'a' }],
  ['SetEnvIf X-A . !Z=x Z=!', { ...field('a'), env: tableOf({ Z: '0' }) }, { '!Z': 'x' }],
  ['SetEnvIf X-A . Y=$', field('a'), { Y: '$' }],
  ['SetEnvIf X-A ^(1)?(a) num=$1-$2', field('a'), { num: '-a' }],
  ['SetEnvIf X-A a.b W', field('axb'), { W: '1' }],
  ['SetEnvIf X-A a\\.b W', field('axb'), {}],
  ['SetEnvIf OID(1.2) ^$ O', {}, { O: '1' }],
  ['SetEnvIfExpr true W=$2', {}, { W: '' }],
  ['SetEnvIfExpr false W', {}, {}],
]

for (const [line, changes, expected] of RULES) {
  t.test(`${line} sets ${JSON.stringify(expected)}`, async (t) => {
    t.same(variables(bench({}, line), changes), expected)
  })
}

t.test('a name with other characters is a pattern for header names; the last header that matches counts', async (t) => {
  const made = bench({}, 'SetEnvIf ^X-.* ^val H=$0')
  t.same(variables(made, { headersIn: new FakeFields({ 'X-Foo': 'no', 'X-Bar': 'val2' }) }), { H: 'val' })
  t.same(variables(made, { headersIn: new FakeFields({ 'X-Foo': 'val1', 'X-Bar': 'no' }) }), {})
})

t.test('a name that is no header of the request is a variable that was set before', async (t) => {
  const made = bench({}, 'SetEnvIf Remote_Addr . got=one', 'SetEnvIf got "^one$" chained=yes', 'SetEnvIf chained . more=$0')
  t.same(variables(made), { got: 'one', chained: 'yes', more: 'y' })
})

t.test('rules in a row about one thing see it as it was before the first', async (t) => {
  const made = bench({}, 'SetEnvIf V ^$ V=x', 'SetEnvIf v ^$ W=y')
  t.same(variables(made), { V: 'x', W: 'y' })
})

t.test('the name of the client is what is known without a lookup', async (t) => {
  const made = bench({ services: { knownRemoteHost: () => 'client.test' } }, 'SetEnvIf Remote_Host ^client NAME')
  t.same(variables(made), { NAME: '1' })
})

t.test('rules of sections run before access control, those of the server when the request was read', async (t) => {
  const made = bench({}, 'SetEnvIf Remote_Addr . SERVER')
  const vhost = made.virtualHost('SetEnvIf Remote_Addr . VHOST')
  made.use(vhost.config, made.in('Location', '/s', 'SetEnvIf Request_URI . SECTION !SERVER'))
  const request = fakeRequest({ uri: '/s' })
  made.hook('postReadRequest')(request)
  t.same(Object.fromEntries(request.env), { SERVER: '1', VHOST: '1' })
  made.hook('headerParser')(request)
  t.same(Object.fromEntries(request.env), { VHOST: '1', SECTION: '1' })
})

t.test('each variable that is set or removed is traced', async (t) => {
  const made = bench({}, 'SetEnvIf Remote_Addr . A !B')
  variables(made)
  t.match(made.log, [
    { level: 'trace2', text: 'Setting A' },
    { level: 'trace2', text: 'Setting B' },
  ])
})

t.test('an expression that cannot be evaluated sets nothing and is logged', async (t) => {
  const condition = {
    mentions: new Set<string>(),
    test: (): boolean => false,
    match: (): readonly string[] | null => {
      throw new ExpressionError('no file')
    },
  }
  const made = bench({ configServices: { condition: () => condition } }, 'SetEnvIfExpr "-f /x" A')
  t.same(variables(made), {})
  t.match(made.log, [{ level: 'warn' }])
})
