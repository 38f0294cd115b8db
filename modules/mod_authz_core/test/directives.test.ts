import { anyMethod, configErrorAt, headerVariables, observedModule, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../src/index.ts'
import { firstWord } from '../src/words.ts'

t.test('the directive table has the names, contexts and override classes of httpd', async (t) => {
  const table = Object.entries(authzCore.directives ?? {}).map(([name, { kind, context, override }]) => [
    name,
    kind,
    context,
    override,
  ])
  const inSections = ['directory', 'htaccess']
  t.same(table, [
    ['<AuthzProviderAlias', 'section', ['server'], undefined],
    ['Require', 'raw', inSections, 'AuthConfig'],
    ['<RequireAll', 'section', inSections, 'AuthConfig'],
    ['<RequireAny', 'section', inSections, 'AuthConfig'],
    ['<RequireNone', 'section', inSections, 'AuthConfig'],
    ['AuthMerging', 'take1', inSections, 'AuthConfig'],
    ['AuthzSendForbiddenOnFailure', 'flag', inSections, 'AuthConfig'],
  ])
})

t.test('the providers are all, env, method and expr', async (t) => {
  const observed = observedModule(authzCore)
  const server = await site({ modules: [observed.module] })
  t.teardown(() => server.close())
  t.same(observed.host.providers.authz.names(), ['all', 'env', 'method', 'expr'])
})

async function serving(t: Test, config: string): Promise<TestServer> {
  const server = await site({ modules: [headerVariables, anyMethod, authzCore], config })
  t.teardown(() => server.close())
  return server
}

t.test('Require env needs one of the variables, with any value; without names it never grants', async (t) => {
  const config = '<Location /d>\nRequire env A "B C"\n</Location>\n<Location /e>\nRequire env\n</Location>'
  const server = await serving(t, config)
  const status = async (target: string, variable: string): Promise<number> =>
    (await server.inject({ target, headers: { 'X-Env': variable } })).status
  t.equal(await status('/d', 'B C='), 200)
  t.equal(await status('/d', 'B=x'), 403)
  t.equal(await status('/e', 'A=x'), 403)
})

t.test('Require method does not distinguish HEAD from GET', async (t) => {
  const server = await serving(t, '<Location />\nRequire method HEAD PUT\n</Location>')
  for (const [method, status] of [
    ['GET', 200],
    ['HEAD', 200],
    ['PUT', 200],
    ['POST', 403],
    ['NOSUCH', 403],
  ] as const) {
    t.equal((await server.inject({ method, target: '/' })).status, status, method)
  }
})

t.test('quotes around a whole expression are dropped, others belong to it', async (t) => {
  const server = await serving(t, '<Location />\nRequire expr "true"\n</Location>')
  t.equal((await server.inject('/')).status, 200)
  t.match(
    await configErrorAt({ modules: [authzCore], config: '<Directory /e>\nRequire expr "%{NOSUCH}"\n</Directory>' }),
    /^2: Cannot parse expression in require line: /,
  )
})

t.test('the first word of a raw argument follows the quoting rules, the rest stays as written', async (t) => {
  const rows: [string, string, string][] = [
    ['ip   10.1  "x"', 'ip', '10.1  "x"'],
    ['"ip"10.1', 'ip', '10.1'],
    ["'a b' c", 'a b', 'c'],
    [String.raw`"a\"b\\c\d" e`, String.raw`a"b\c\d`, 'e'],
    [String.raw`a\\b c`, String.raw`a\b`, 'c'],
    ['"open end', 'open end', ''],
    ['', '', ''],
    ['""', '', ''],
  ]
  for (const [text, word, rest] of rows) t.same(firstWord(text), { word, rest }, text)
})
