import { join } from 'node:path'
import { DECLINED, defineModule, type Outcome, type Request } from '@gatewright/api'
import {
  configError,
  type InjectOptions,
  moduleLog,
  requestRecorder,
  type SiteOptions,
  site,
  type TestServer,
} from '@gatewright/testing'
import t, { type Test } from 'tap'
import setenvif from '../src/index.ts'

interface SetenvifSite {
  readonly server: TestServer
  /** The variables at the end of a request. */
  variables(changes?: Partial<InjectOptions>): Promise<Record<string, string>>
}

async function setenvifSite(t: Test, lines: readonly string[], options: SiteOptions = {}): Promise<SetenvifSite> {
  const recorder = requestRecorder()
  const modules = [setenvif, recorder.module, ...(options.modules ?? [])]
  const server = await site({ ...options, modules, config: lines.join('\n') })
  t.teardown(() => server.close())
  return {
    server,
    variables: async (changes = {}) => {
      await server.inject({ target: '/a.txt', remoteAddress: '192.0.2.7', localAddress: '192.0.2.1', ...changes })
      return Object.fromEntries(recorder.last.env)
    },
  }
}

t.test('the directive table has the contexts of each directive', async (t) => {
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

t.test('OID(...) is a pattern for header names, as in httpd 2.4, and no field of a certificate', async (t) => {
  const { variables } = await setenvifSite(t, [
    'SetEnvIf OID(2.16.840.1.113730.1.13) "(.*)" BARE=1-$1',
    'SetEnvIf OID("2.5.29.17") "(.*)" QUOTED=1-$1',
    'SetEnvIf OID("2.5.29.17") "^$" EMPTY',
    'SetEnvIf OID("2.5.29.17") "." PRESENT',
  ])
  t.strictSame(await variables(), { BARE: '1-', QUOTED: '1-', EMPTY: '1' })
  t.strictSame(await variables({ headers: { 'OID2.16.840.1.113730.1.13': 'hello' } }), {
    BARE: '1-hello',
    QUOTED: '1-',
    EMPTY: '1',
  })
  t.match(await variables({ headers: { 'oid2.16.840.1.113730.1.13': 'hello' } }), { BARE: '1-' }, 'case matters')
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
  ['SetEnvIfExpr "bad %{" c', `Could not parse expression "bad %{": syntax error, unexpected T_VAR_BEGIN, expecting '('`],
  ['SetEnvIfExpr true', 'Missing envariable expression for SetEnvIfExpr'],
]

for (const [line, expected] of ERRORS) {
  t.test(`${line} is ${expected === undefined ? 'accepted' : 'an error'}`, async (t) => {
    t.equal(await configError({ modules: [setenvif], config: line }), expected)
  })
}

const agent = (text: string): Fields => ({ 'User-Agent': text })
const field = (text: string): Fields => ({ 'X-A': text })

type Fields = Readonly<Record<string, string>>

const RULES: readonly (readonly [line: string, headers: Fields, variables: Fields, before?: string])[] = [
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
  ['SetEnvIf x-a a K= L=a=b N==c !M', field('abc'), { K: '1', L: 'a=b', N: 'c' }, 'SetEnvIf Remote_Addr . M=x'],
  ['SetEnvIf User-Agent b M=$1 N=\\$1 O=&', agent('moz b'), { M: '$1', N: '\\$1', O: '&' }],
  ['SetEnvIf User-Agent ^moz M=$0 N=\\$1', agent('moz b'), { M: 'moz', N: '$1' }],
  ['BrowserMatch moz Q', agent('a moz b'), { Q: '1' }],
  ['BrowserMatch MOZ Q', agent('a moz b'), {}],
  ['BrowserMatchNoCase MOZ R', agent('a moz b'), { R: '1' }],
  ['BrowserMatchNoCase ^A R', agent('a moz b'), { R: '1' }],
  ['SetEnvIfNoCase x-a A T=$0', field('abc'), { T: '$0' }],
  ['SetEnvIf X-A a "U=two words" \'V=a\'', field('a'), { U: 'two words', V: 'a' }],
  ['SetEnvIf X-A . !Z=x Z=!', field('a'), { '!Z': 'x' }, 'SetEnvIf Remote_Addr . Z=0'],
  ['SetEnvIf X-A . Y=$', field('a'), { Y: '$' }],
  ['SetEnvIf X-A ^(1)?(a) num=$1-$2', field('a'), { num: '-a' }],
  ['SetEnvIf X-A a.b W', field('axb'), { W: '1' }],
  ['SetEnvIf X-A a\\.b W', field('axb'), {}],
  ['SetEnvIf OID(1.2) ^$ O', {}, { O: '1' }],
  ['SetEnvIfExpr true W=$2', {}, { W: '' }],
  ['SetEnvIfExpr false W', {}, {}],
]

for (const [line, headers, expected, before = ''] of RULES) {
  t.test(`${line} sets ${JSON.stringify(expected)}`, async (t) => {
    const { variables } = await setenvifSite(t, [before, line])
    t.same(await variables({ headers }), expected)
  })
}

t.test('a name with other characters is a pattern for header names, and the last matching header counts', async (t) => {
  const { variables } = await setenvifSite(t, ['SetEnvIf ^X-.* ^val H=$0'])
  t.same(await variables({ headers: { 'X-Foo': 'no', 'X-Bar': 'val2' } }), { H: 'val' })
  t.same(await variables({ headers: { 'X-Foo': 'val1', 'X-Bar': 'no' } }), {})
})

t.test('a name that is not a header of the request is a variable set before', async (t) => {
  const lines = ['SetEnvIf Remote_Addr . got=one', 'SetEnvIf got "^one$" chained=yes', 'SetEnvIf chained . more=$0']
  const { variables } = await setenvifSite(t, lines)
  t.same(await variables(), { got: 'one', chained: 'yes', more: 'y' })
})

t.test('consecutive rules with the same subject use its value before the first', async (t) => {
  const { variables } = await setenvifSite(t, ['SetEnvIf V ^$ V=x', 'SetEnvIf v ^$ W=y'])
  t.same(await variables(), { V: 'x', W: 'y' })
})

t.test('the name of the client is the one known without a lookup', async (t) => {
  const lookup = defineModule({
    name: 'lookup_module',
    source: 'mod_lookup.c',
    register({ hooks, services }) {
      hooks.postReadRequest.add(
        async (request) => {
          if (request.headersIn.has('X-Lookup')) await services.remoteHost(request)
          return DECLINED
        },
        { rank: 'really-first' },
      )
    },
  })
  const hostsFile = join(t.testdir({ hosts: '192.0.2.7 client.test\n' }), 'hosts')
  const options = { modules: [lookup], names: { hostsFile } }
  const { variables } = await setenvifSite(t, ['SetEnvIf Remote_Host ^client NAME'], options)
  t.same(await variables(), {})
  t.same(await variables({ headers: { 'X-Lookup': '1' } }), { NAME: '1' })
})

t.test('rules of sections are applied before access control, those of the server after the request was read', async (t) => {
  const seen: Record<string, string>[] = []
  const observer = defineModule({
    name: 'observer_module',
    source: 'mod_observer.c',
    register({ hooks }) {
      const see = (request: Request): Outcome => {
        seen.push(Object.fromEntries(request.env))
        return DECLINED
      }
      hooks.postReadRequest.add(see, { rank: 'really-last' })
      hooks.headerParser.add(see, { rank: 'really-last' })
    },
  })
  const lines = [
    'SetEnvIf Remote_Addr . SERVER',
    '<VirtualHost *:80>\nSetEnvIf Remote_Addr . VHOST',
    '<Location /s>\nSetEnvIf Request_URI . SECTION !SERVER\n</Location>',
    '</VirtualHost>',
  ]
  const { variables } = await setenvifSite(t, lines, { modules: [observer] })
  await variables({ target: '/s' })
  const [read, parsed] = seen
  t.same(read, { SERVER: '1', VHOST: '1' })
  t.same(parsed, { VHOST: '1', SECTION: '1' })
})

t.test('each variable that is set or unset is traced', async (t) => {
  const { server, variables } = await setenvifSite(t, ['LogLevel setenvif:trace2', 'SetEnvIf Remote_Addr . A !B'])
  await variables()
  t.match(moduleLog(server, 'setenvif'), ['trace2 Setting A', 'trace2 Setting B'])
})

t.test('an expression that cannot be evaluated sets nothing and is logged', async (t) => {
  const { server, variables } = await setenvifSite(t, [`SetEnvIfExpr "file('/nonexistent') == 'x'" A`])
  t.same(await variables(), {})
  t.match(moduleLog(server, 'setenvif'), [/^error Evaluation of expression /, /^warn /])
})
