import { defineModule, OK, type Request } from '@gatewright/api'
import { satisfyOf } from '@gatewright/api/peers'
import {
  anyMethod,
  configErrorAt,
  headerVariables,
  type InjectOptions,
  moduleLog,
  NameServer,
  observedModule,
  requestRecorder,
  type SiteOptions,
  site,
  type TestServer,
} from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import accessCompat from '../src/index.ts'

/** Properties of a test's request; by default a GET from 127.0.0.1. */
interface Facts {
  readonly method?: string
  readonly from?: string
  readonly env?: string
}

interface Rules {
  readonly server: TestServer
  status(facts?: Facts): Promise<number>
  /** The effect of Satisfy on a request. */
  satisfy(facts?: Facts): Promise<unknown>
}

const inject = ({ method, from, env = '' }: Facts): InjectOptions => ({
  target: '/f.txt',
  method,
  remoteAddress: from,
  headers: { 'X-Env': env },
})

async function serving(t: Test, config: string, options: SiteOptions = {}): Promise<Rules> {
  const observed = observedModule(accessCompat)
  const recorder = requestRecorder()
  const server = await site({
    modules: [headerVariables, anyMethod, recorder.module, authzCore, observed.module, ...(options.modules ?? [])],
    config,
    files: { 'docs/f.txt': 'x' },
    names: options.names ?? { hostsFile: '/nonexistent/hosts', servers: ['127.0.0.1:9'], patience: 50 },
  })
  t.teardown(() => server.close())
  const status = async (facts: Facts = {}): Promise<number> => (await server.inject(inject(facts))).status
  return {
    server,
    status,
    satisfy: async (facts) => {
      await status(facts)
      const request: Request = recorder.last
      return observed.host.functions.get(satisfyOf)?.(request)
    },
  }
}

const directory = (lines: string): string => `<Directory "@ROOT@/docs">\n${lines}\n</Directory>`

async function admits(t: Test, lines: string, facts: Facts = {}, names?: SiteOptions['names']): Promise<boolean> {
  const { status } = await serving(t, directory(lines), { names })
  return (await status(facts)) === 200
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
    const got: boolean[] = []
    for (const env of ['', 'A=', 'D=', 'A=, D=']) got.push(await admits(t, lines, { env }))
    t.same(got, expected, order)
  }
  t.ok(await admits(t, 'Satisfy All'), 'without host rules every client is allowed')
})

t.test('the last Order counts, and every Allow and Deny regardless of its position', async (t) => {
  t.notOk(await admits(t, 'Order deny,allow\nDeny from all\nOrder allow,deny\nAllow from 127'))
  t.ok(await admits(t, 'Allow from 127\nDeny from all\nOrder allow,deny\nOrder deny,allow'))
})

t.test('words after from have the first meaning that matches', async (t) => {
  const rows: [string, Facts, boolean][] = [
    ['ALL', {}, true],
    ['env=X', { env: 'X=' }, true],
    ['ENV=X', {}, false],
    ['env=!X', {}, true],
    ['env=!X', { env: 'X=no' }, false],
    ['env=', { env: 'X=' }, false],
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
  const hostsFile = `${t.testdir({ hosts: '10.0.0.1 web.good.example\n10.0.0.2 nogood.example\n' })}/hosts`
  const dns = await NameServer.start(t)
  dns.pair('10.0.0.1', 'web.good.example').pair('10.0.0.2', 'nogood.example')
  for (const [words, facts, expected] of rows) {
    const lines = `Order allow,deny\nAllow FROM ${words}`
    t.equal(await admits(t, lines, facts, { hostsFile }), expected, words)
    const late = { servers: [dns.address], hostsFile: '/nonexistent/hosts' }
    t.equal(await admits(t, lines, facts, late), expected, `${words}, with a lookup that waits`)
  }
})

t.test('a client without a name matches no name, and this is not logged', async (t) => {
  const { server, status } = await serving(t, directory('Order deny,allow\nDeny from example\nAllow from example'))
  t.equal(await status(), 200)
  t.same(moduleLog(server, 'access_compat'), [])
})

t.test('a refusal is logged with the file name, or the URI', async (t) => {
  const { server, status } = await serving(t, directory('Deny from all'))
  t.equal(await status(), 403)
  const fileless = defineModule({
    name: 'fileless_module',
    source: 'mod_fileless.c',
    register({ hooks }) {
      hooks.translateName.add(() => OK)
      hooks.mapToStorage.add(() => OK)
    },
  })
  const without = await serving(t, '<Location />\nDeny from all\n</Location>', { modules: [fileless] })
  t.equal(await without.status(), 403)
  t.same(
    [...moduleLog(server, 'access_compat'), ...moduleLog(without.server, 'access_compat')],
    [
      `error AH01797: client denied by server configuration: ${server.serverRoot}/docs/f.txt`,
      'error AH01797: client denied by server configuration: uri /f.txt',
    ],
  )
})

t.test('Limit restricts Order, Allow, Deny and Satisfy to its methods', async (t) => {
  const lines = '<Limit POST>\nOrder allow,deny\nAllow from 10.1\nSatisfy Any\n</Limit>\nDeny from 127.0.0.2\nRequire all granted'
  const { status, satisfy } = await serving(t, directory(lines))
  t.equal(await status(), 200)
  t.equal(await status({ from: '127.0.0.2' }), 403)
  t.equal(await satisfy(), 'unset')
  t.equal(await satisfy({ method: 'POST' }), 'any')
  const rules = await serving(t, directory(lines.replace('Satisfy Any\n', '').replace('\nRequire all granted', '')))
  t.equal(await rules.status({ method: 'POST' }), 403)
  t.equal(await rules.status({ method: 'POST', from: '10.1.1.1' }), 200)
})

t.test('a section replaces all rules of its predecessors, or inherits all of them', async (t) => {
  const closed = 'Order deny,allow\nDeny from all\nSatisfy Any'
  const merged = (...sections: string[]): Promise<Rules> => {
    const places = ['<Directory "@ROOT@/docs">LINES</Directory>', '<Location />LINES</Location>']
    return serving(
      t,
      sections.map((lines, index) => places[index].replace('LINES', `\n${lines}\n`).replace('</', '\n</')).join('\n'),
    )
  }
  const outcome = async (rules: Promise<Rules>): Promise<number> => (await rules).status()
  t.equal(await outcome(merged(`${closed}\nRequire all denied`)), 403)
  t.equal(await outcome(merged(closed, 'Allow from 10.1')), 200)
  t.equal(await outcome(merged(closed, 'Satisfy All')), 200)
  t.equal(await outcome(merged(`${closed}\nRequire all denied`, '')), 403)
  t.equal(await (await merged(closed, 'Allow from 10.1')).satisfy(), 'unset')
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
  for (const [line, message] of rows)
    t.equal(await configErrorAt({ modules: [accessCompat], config: directory(line) }), `2: ${message}`, line)
  t.match(
    await configErrorAt({ modules: [accessCompat], config: 'AccessCompatPrecedence both' }),
    /must be one of: manual \| httpd$/,
  )
})
