import t from 'tap'
import authzCore from '../src/index.ts'
import { firstWord } from '../src/words.ts'
import { FakeHost } from './fakes/fake-host.ts'

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
  t.same(new FakeHost([authzCore]).authz.names(), ['all', 'env', 'method', 'expr'])
})

t.test('Require env needs one of the variables, with any value; without names it never grants', async (t) => {
  const host = new FakeHost([authzCore])
  host.configure('<Directory /d>\nRequire env A "B C"\n</Directory>\n<Directory /e>\nRequire env\n</Directory>')
  const status = (name: string, env: Record<string, string>): Promise<number> =>
    host.runFirst('accessCheckerEx', host.request({ env }, [host.section(name)]))
  t.equal(await status('/d', { 'B C': '' }), 0)
  t.equal(await status('/d', { B: 'x' }), 403)
  t.equal(await status('/e', { A: 'x' }), 403)
})

t.test('Require method does not distinguish HEAD from GET', async (t) => {
  const host = new FakeHost([authzCore])
  host.configure('<Directory /d>\nRequire method HEAD PUT\n</Directory>')
  for (const [method, status] of [
    ['GET', 0],
    ['HEAD', 0],
    ['PUT', 0],
    ['POST', 403],
    ['NOSUCH', 403],
  ] as const) {
    t.equal(await host.runFirst('accessCheckerEx', host.request({ method })), status, method)
  }
})

t.test('quotes around a whole expression are dropped, others belong to it', async (t) => {
  const host = new FakeHost([authzCore])
  t.equal(host.configure('<Directory /d>\nRequire expr "true"\n</Directory>'), undefined)
  t.equal(await host.runFirst('accessCheckerEx', host.request()), 0)
  t.match(
    host.configure('<Directory /e>\nRequire expr "%{NOSUCH}"\n</Directory>'),
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
