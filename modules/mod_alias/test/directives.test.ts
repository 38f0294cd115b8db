import { configError, moduleLog, site } from '@gatewright/testing'
import t from 'tap'
import alias from '../src/index.ts'

t.test('the directive table has the contexts of each directive', async (t) => {
  const places = Object.entries(alias.directives ?? {}).map(([name, { kind, context, override }]) => [
    name,
    kind,
    context.join(' '),
    override ?? '-',
  ])
  const files = 'server virtualhost directory'
  const anywhere = `${files} htaccess`
  t.same(places, [
    ['Alias', 'take12', files, '-'],
    ['ScriptAlias', 'take12', files, '-'],
    ['AliasMatch', 'take2', 'server virtualhost', '-'],
    ['ScriptAliasMatch', 'take2', 'server virtualhost', '-'],
    ['Redirect', 'take123', anywhere, 'FileInfo'],
    ['RedirectMatch', 'take23', anywhere, 'FileInfo'],
    ['RedirectTemp', 'take2', anywhere, 'FileInfo'],
    ['RedirectPermanent', 'take2', anywhere, 'FileInfo'],
    ['RedirectRelative', 'flag', anywhere, 'FileInfo'],
    ['AliasPreservePath', 'flag', anywhere, 'FileInfo'],
  ])
})

const BAD = 'syntax error, unexpected T_ERROR, expecting T_ID: Unterminated string or variable'
const NOT_GLOBAL = 'Alias must have two arguments when used globally'
const REGEX = 'Regular expression could not be compiled.'
const MISSING = 'URL to redirect to is missing'
const NOT_VALID = 'Redirect URL not valid for this status'
const FIRST = 'Redirect: invalid first argument (of three)'
const NON_URL = 'Redirect to non-URL'

const MAIN_SERVER: readonly (readonly [line: string, error: string | undefined])[] = [
  ['Alias /a', NOT_GLOBAL],
  ['ScriptAlias /a', NOT_GLOBAL],
  ['Alias /a /b', undefined],
  ['AliasMatch ( b', REGEX],
  ['Redirect /a', MISSING],
  ['Redirect http://x/', MISSING],
  ['Redirect 302', MISSING],
  ['Redirect gone', 'Redirect needs a URL path when it is used globally'],
  ['Redirect /x /y /z', FIRST],
  ['Redirect 200 /x http://u/', NOT_VALID],
  ['Redirect 301 /x', MISSING],
  ['Redirect foo /x http://u/', FIRST],
  ['Redirect /x y', NON_URL],
  ['Redirect x http://y/', undefined],
  ['Redirect 99 /a /b', NOT_VALID],
  ['Redirect 99 /a', undefined],
  ['Redirect 999 /a', undefined],
  ['Redirect 3xx /a http://x/', NOT_VALID],
  ['Redirect GONE /a', undefined],
  ['Redirect gone /a /b', NOT_VALID],
  ['Redirect gone /a http://b/', NOT_VALID],
  ['Redirect seeother /a /b', undefined],
  ['Redirect 399 /a http://x/', undefined],
  ['RedirectMatch ( /b', REGEX],
  ['RedirectMatch gone /a', undefined],
  ['RedirectMatch /a y', undefined],
  ['RedirectMatch 301 /a', MISSING],
  ['RedirectMatch foo /a /b', FIRST],
  ['RedirectMatch 200 a b', NOT_VALID],
  ['RedirectTemp /a /b', undefined],
  ['RedirectTemp a b', NON_URL],
  ['RedirectTemp gone /b', undefined],
  ['RedirectPermanent permanent /x', MISSING],
]

for (const [line, expected] of MAIN_SERVER) {
  t.test(`${line} in the main server is ${expected === undefined ? 'accepted' : 'an error'}`, async (t) => {
    t.equal(await configError({ modules: [alias], config: line }), expected)
  })
}

const SECTIONS: readonly (readonly [kind: 'Directory' | 'Location' | 'Files' | 'If', line: string, error: string | undefined])[] =
  [
    ['Directory', 'Alias /a /b', 'Alias cannot occur within directory context'],
    ['Location', 'Alias /a /b', 'Alias cannot occur within directory context'],
    ['Directory', 'Alias /b', 'Alias cannot occur within <Directory> section'],
    ['Directory', 'ScriptAlias /b', 'ScriptAlias cannot occur within <Directory> section'],
    ['Files', 'Alias /b', 'Alias cannot occur within <Files> section'],
    ['If', 'Alias /b', 'Alias cannot occur within <If> section'],
    ['Location', 'Alias /b', undefined],
    ['Location', 'Alias "bad %{"', `Cannot parse alias expression 'bad %{': ${BAD}`],
    ['Location', 'Redirect b', undefined],
    ['Location', 'Redirect 404', undefined],
    ['Location', 'Redirect 302', MISSING],
    ['Location', 'Redirect 302 http://x/', undefined],
    ['Location', 'Redirect gone http://x/', undefined],
    ['Location', 'Redirect /b foo', NON_URL],
    ['Location', 'Redirect foo /b', undefined],
    ['Location', 'Redirect "bad %{"', `Cannot parse redirect expression 'bad %{': ${BAD}`],
    ['Directory', 'Redirect http://x/', undefined],
  ]

for (const [kind, line, expected] of SECTIONS) {
  t.test(`${line} in <${kind}> is ${expected === undefined ? 'accepted' : 'an error'}`, async (t) => {
    const argument = kind === 'If' ? 'true' : '/x'
    const config = `<${kind} "${argument}">\n${line}\n</${kind}>`
    t.equal(await configError({ modules: [alias], config }), expected)
  })
}

const OVERLAPS: readonly (readonly [first: string, second: string, earlier: string])[] = [
  ['Alias /a /b', 'Alias /a/c /d', 'Alias'],
  ['AliasMatch ^/a /b', 'ScriptAlias /a/c /d', 'AliasMatch'],
  ['ScriptAlias /a /b', 'Alias /a/c /d', 'ScriptAlias'],
  ['ScriptAliasMatch /a /b', 'Alias /a/c /d', 'ScriptAliasMatch'],
]

for (const [first, second, earlier] of OVERLAPS) {
  t.test(`${second} after ${first} causes a warning`, async (t) => {
    const server = await site({ modules: [alias], config: `${first}\n${second}` })
    t.teardown(() => server.close())
    const name = second.split(' ')[0]
    t.same(moduleLog(server, 'alias'), [
      `warn AH00671: The ${name} directive in ${server.serverRoot}/conf/httpd.conf at line 4 will probably never match because it overlaps an earlier ${earlier}.`,
    ])
  })
}

t.test('an alias that ends in a slash does not hide one that does not', async (t) => {
  const server = await site({ modules: [alias], config: 'Alias /a/ /b\nAlias /a /d\nAliasMatch /a /e' })
  t.teardown(() => server.close())
  t.same(moduleLog(server, 'alias'), [])
})
