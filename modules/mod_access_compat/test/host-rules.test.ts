import { satisfyOf } from '@gatewright/api/peers'
import t from 'tap'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import type { RequestFacts } from '../../mod_authz_core/test/fakes/fake-request.ts'
import { type FakeWorld, fakeHostServices } from '../../mod_authz_core/test/fakes/fake-services.ts'
import accessCompat from '../src/index.ts'

function hostWith(lines: string, world: FakeWorld = {}): FakeHost {
  const host = new FakeHost([accessCompat], { services: fakeHostServices(world) })
  const error = host.configure(`<Directory /d>\n${lines}\n</Directory>`)
  if (error !== undefined) throw new Error(error)
  return host
}

async function status(host: FakeHost, facts: RequestFacts = {}): Promise<number> {
  const [check] = host.functionsOf('accessChecker')
  return await check(host.request(facts))
}

async function admits(lines: string, facts: RequestFacts = {}, world?: FakeWorld): Promise<boolean> {
  return (await status(hostWith(lines, world), facts)) === 0
}

t.test('the directive table has the names, contexts and override classes of httpd', async (t) => {
  const table = Object.entries(accessCompat.directives ?? {}).map(([name, { kind, context, override, declaredAs }]) => [
    name,
    declaredAs,
    kind,
    context,
    override,
  ])
  t.same(table, [
    ['Order', 'order', 'take1', ['directory', 'htaccess'], 'Limit'],
    ['Allow', 'allow', 'iterate2', ['directory', 'htaccess'], 'Limit'],
    ['Deny', 'deny', 'iterate2', ['directory', 'htaccess'], 'Limit'],
    ['Satisfy', undefined, 'take1', ['directory', 'htaccess'], 'AuthConfig'],
    ['AccessCompatPrecedence', undefined, 'take1', ['server', 'virtualhost'], undefined],
  ])
})

t.test('Order determines the result of Allow and Deny matches', async (t) => {
  const table: [string, boolean[]][] = [
    // The columns: neither matches, Allow matches, Deny matches, both match.
    ['deny,allow', [true, true, false, true]],
    ['allow,deny', [false, true, false, false]],
    ['mutual-failure', [false, true, false, false]],
  ]
  for (const [order, expected] of table) {
    const lines = `Allow from env=A\nOrder ${order.toUpperCase()}\nDeny from env=D`
    const environments: Record<string, string>[] = [{}, { A: '' }, { D: '' }, { A: '', D: '' }]
    const got: boolean[] = []
    for (const env of environments) got.push(await admits(lines, { env }))
    t.same(got, expected, order)
  }
  t.ok(await admits('Satisfy All'), 'no host rule lets everybody in')
})

t.test('the last Order counts, and every Allow and Deny regardless of its position', async (t) => {
  t.notOk(await admits('Order deny,allow\nDeny from all\nOrder allow,deny\nAllow from 127'))
  t.ok(await admits('Allow from 127\nDeny from all\nOrder allow,deny\nOrder deny,allow'))
})

t.test('words after from have the first meaning that matches', async (t) => {
  const rows: [string, RequestFacts, boolean][] = [
    ['ALL', {}, true],
    ['env=X', { env: { X: '' } }, true],
    ['ENV=X', {}, false],
    ['env=!X', {}, true],
    ['env=!X', { env: { X: 'no' } }, false],
    ['env=', { env: { X: '' } }, false],
    ['10.1', { from: '10.1.2.3' }, true],
    ['10.1.', { from: '10.2.2.3' }, false],
    ['10.0.0.0/255.0.255.0', { from: '10.9.0.7' }, true],
    ['::1', { from: '::1' }, true],
    ['good.example', { from: '10.0.0.1' }, true],
    ['GOOD.example', { from: '10.0.0.2' }, false],
    ['*.example', { from: '10.0.0.1' }, false],
    ['None', {}, false],
    ['""', {}, false],
    ['10.2 10.3 10.1', { from: '10.1.2.3' }, true],
  ]
  const world = { names: { '10.0.0.1': 'web.good.example', '10.0.0.2': 'nogood.example' } }
  for (const [words, facts, expected] of rows) {
    const lines = `Order allow,deny\nAllow FROM ${words}`
    t.equal(await admits(lines, facts, world), expected, words)
    t.equal(await admits(lines, facts, { ...world, slowNames: true }), expected, `${words}, slowly`)
  }
})

t.test('a client without a name matches no name, and this is not logged', async (t) => {
  const host = hostWith('Order deny,allow\nDeny from example\nAllow from example')
  t.equal(await status(host), 0)
  t.same(host.logs.take(), [])
})

t.test('a refusal is logged with the file name, or the URI', async (t) => {
  const host = hostWith('Deny from all')
  t.equal(await status(host), 403)
  t.equal(await status(host, { filename: '' }), 403)
  t.same(host.logs.take(), [
    'access_compat:error AH01797: client denied by server configuration: /docs/f.txt',
    'access_compat:error AH01797: client denied by server configuration: uri /f.txt',
  ])
})

t.test('Limit restricts Order, Allow, Deny and Satisfy to its methods', async (t) => {
  const host = hostWith('<Limit POST>\nOrder allow,deny\nAllow from 10.1\nSatisfy Any\n</Limit>\nDeny from 127.0.0.2')
  t.equal(await status(host), 0)
  t.equal(await status(host, { from: '127.0.0.2' }), 403)
  t.equal(await status(host, { method: 'POST' }), 403)
  t.equal(await status(host, { method: 'POST', from: '10.1.1.1' }), 0)
  const satisfy = host.functions.get(satisfyOf)
  t.equal(satisfy?.(host.request()), 'unset')
  t.equal(satisfy?.(host.request({ method: 'POST' })), 'any')
})

t.test('a section replaces all rules of its predecessors, or inherits all of them', async (t) => {
  const host = new FakeHost([accessCompat])
  host.configure(`
    <Directory /closed>
      Order deny,allow
      Deny from all
      Satisfy Any
    </Directory>
    <Directory /allow>
      Allow from 10.1
    </Directory>
    <Directory /satisfy>
      Satisfy All
    </Directory>
    <Directory /nothing>
    </Directory>`)
  const [check] = host.functionsOf('accessChecker')
  const merged = async (...names: string[]): Promise<number> =>
    check(
      host.request(
        {},
        names.map((name) => host.section(name)),
      ),
    )
  t.equal(await merged('/closed'), 403)
  t.equal(await merged('/closed', '/allow'), 0)
  t.equal(await merged('/closed', '/satisfy'), 0)
  t.equal(await merged('/closed', '/nothing'), 403)
  const request = host.request({}, [host.section('/closed'), host.section('/allow')])
  t.equal(host.functions.get(satisfyOf)?.(request), 'unset')
})

t.test('mistakes are rejected', async (t) => {
  const rows: [string, string][] = [
    ['Order foo', 'unknown order'],
    [
      'Order deny, allow',
      "order takes one argument, order in which Allow and Deny are evaluated: 'allow,deny', 'deny,allow' or 'mutual-failure'",
    ],
    ['Allow to all', "allow and deny must be followed by 'from'"],
    ['Deny from 300.1.1.1', 'The specified IP address is invalid.'],
    ['Deny from 10.1/255.255.0.0', 'The specified IP address is invalid.'],
    ['Allow from 10.0.0.0/33', 'The specified network mask is invalid.'],
    ['Allow from foo.example/24', 'An IP address was expected'],
    ['Allow from all # x', 'No comments are allowed here'],
    ['Allow from foo#bar', 'No comments are allowed here'],
    ['Satisfy none', "Satisfy either 'any' or 'all'."],
  ]
  for (const [line, message] of rows) t.throws(() => hostWith(line), { message: `2: ${message}` }, line)
  t.match(new FakeHost([accessCompat]).configure('AccessCompatPrecedence both'), /must be one of: manual \| httpd$/)
})
