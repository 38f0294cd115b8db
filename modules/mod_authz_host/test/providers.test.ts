import {
  configErrorAt,
  type InjectOptions,
  moduleLog,
  NameServer,
  observedModule,
  type SiteOptions,
  site,
  type TestServer,
} from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzHost from '../src/index.ts'

/** Properties of a test's request; by default a GET from 127.0.0.1. */
interface Facts extends Pick<InjectOptions, 'headers' | 'localAddress'> {
  readonly from?: string
}

const MODULES = [authzCore, authzHost]
/** Addresses without names, and names without addresses. */
const NAMELESS: SiteOptions['names'] = { hostsFile: '/nonexistent/hosts', servers: ['127.0.0.1:9'], patience: 50 }

const directory = (require: string): string => `<Directory "@ROOT@/docs">\nRequire ${require}\n</Directory>`

async function serving(t: Test, require: string, names: SiteOptions['names'] = NAMELESS): Promise<TestServer> {
  const config = `LogLevel authz_host:debug\n${directory(require)}`
  const server = await site({ modules: MODULES, config, files: { 'docs/f.txt': 'x' }, names })
  t.teardown(() => server.close())
  return server
}

async function statusFor(server: TestServer, { from, ...rest }: Facts): Promise<number> {
  return (await server.inject({ target: '/f.txt', remoteAddress: from, ...rest })).status
}

async function admits(t: Test, require: string, facts: Facts, names?: SiteOptions['names']): Promise<boolean> {
  return (await statusFor(await serving(t, require, names), facts)) === 200
}

/** Log lines of mod_authz_host, except those in which the host reports the cause of a failed expression. */
async function logOf(t: Test, require: string, facts: Facts, names?: SiteOptions['names']): Promise<string[]> {
  const server = await serving(t, require, names)
  await statusFor(server, facts)
  return moduleLog(server, 'authz_host').filter((line) => !line.includes('Evaluation of expression'))
}

/** Contents of a hosts file: addresses by name. */
function hosts(t: Test, lines: readonly string[]): SiteOptions['names'] {
  return { ...NAMELESS, hostsFile: `${t.testdir({ hosts: `${lines.join('\n')}\n` })}/hosts` }
}

t.test('the module has no directives, and four providers', async (t) => {
  t.equal(authzHost.directives, undefined)
  const observed = observedModule(authzHost)
  const server = await site({ modules: [observed.module] })
  t.teardown(() => server.close())
  t.same(observed.host.providers.authz.names(), ['ip', 'host', 'forward-dns', 'local'])
})

t.test(
  'a check of another provider is not joined, because a negation would grant access to the clients that it denies',
  async (t) => {
    const observed = observedModule(authzHost)
    const server = await site({ modules: [observed.module] })
    t.teardown(() => server.close())
    const provider = observed.host.providers.authz.get('ip')
    t.throws(() => provider?.anyOf?.([() => 'granted']), /another provider/)
  },
)

t.test('many lines of Require ip grant access if one of them does, and only for the methods of a Limit', async (t) => {
  const lines = Array.from({ length: 300 }, (_, index) => `Require ip 10.${index >> 8}.${index & 255}.0/24`)
  const server = await serving(t, ['all denied', ...lines, 'Require ip 2001:db8::/32'].join('\n'))
  for (const from of ['10.0.0.1', '10.0.255.7', '10.1.43.255', '2001:db8::1'])
    t.equal(await statusFor(server, { from }), 200, from)
  for (const from of ['10.1.44.0', '9.255.255.255', '2001:db9::1']) t.equal(await statusFor(server, { from }), 403, from)
})

t.test('Require ip matches any of its networks', async (t) => {
  const rows: [string, string, boolean][] = [
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['10.1', '10.1.255.3', true],
    ['10.1', '10.2.0.1', false],
    ['127.0.0.5/30', '127.0.0.7', true],
    ['127.0.0.5/30', '127.0.0.8', false],
    ['127.0.0.4/127.0.0.4', '127.9.9.12', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::1', '127.0.0.1', false],
    ['10.0.0.1 \'10.0.0.2\' "10.0.0.3"', '10.0.0.3', true],
    // An empty word ends the list, and an unclosed quote is one.
    ['10.0.0.1 "" 10.0.0.3', '10.0.0.1', true],
    ['10.0.0.1 "" 10.0.0.3', '10.0.0.3', false],
    ['10.0.0.1 "', '10.0.0.1', true],
  ]
  for (const [networks, from, expected] of rows)
    t.equal(await admits(t, `ip ${networks}`, { from }), expected, `${networks} ${from}`)
})

t.test('Require ip rejects invalid addresses', async (t) => {
  const rows: [string, string][] = [
    ['ip', "'require ip' requires an argument"],
    ['ip ""', "'require ip' requires an argument"],
    ['ip foo', "ip address 'foo' appears to be invalid"],
    ['ip 10.1 # x', "ip address '#' appears to be invalid"],
    ['ip 300.1.1.1', "ip address '300.1.1.1' appears to be invalid: The specified IP address is invalid."],
    ['ip 10.0.0.0/33', "ip address '10.0.0.0/33' appears to be invalid: The specified network mask is invalid."],
    ['ip "10.1 10.2"', "ip address '10.1 10.2' appears to be invalid"],
  ]
  for (const [require, message] of rows)
    t.equal(await configErrorAt({ modules: MODULES, config: directory(require) }), `2: ${message}`, require)
})

t.test('a client whose address cannot be parsed is an error, not a denial', async (t) => {
  await t.equal(
    await statusFor(await serving(t, 'ip 10.2\n<RequireAll>\nRequire not ip 10.1\nRequire all granted\n</RequireAll>'), {
      from: 'somebody',
    }),
    500,
  )
  await t.equal(await statusFor(await serving(t, 'ip 10.1'), { from: 'somebody' }), 500)
})

t.test('Require host matches the name or its end at a dot', async (t) => {
  const names = hosts(t, ['10.0.0.1 web.good.example', '10.0.0.2 nogood.example'])
  const dns = await NameServer.start(t)
  dns.pair('10.0.0.2', 'nogood.example')
  const late = { ...NAMELESS, servers: [dns.address], patience: 20_000 }
  const rows: [string, boolean, boolean][] = [
    ['good.example', true, false],
    ['.good.example', true, false],
    ['EXAMPLE', true, true],
    ['web.good.example', true, false],
    ['ood.example', false, false],
    ['b.good.example', false, false],
    ['web', false, false],
    ['10.0.0.1', false, false],
    ['', false, false],
    ['other.example good.example', true, false],
  ]
  for (const [words, first, second] of rows) {
    t.equal(await admits(t, `host ${words}`, { from: '10.0.0.1' }, names), first, `${words} / web.good.example`)
    t.equal(await admits(t, `host ${words}`, { from: '10.0.0.2' }, late), second, `${words} / nogood.example`)
  }
})

t.test('Require host denies and logs a client without a name', async (t) => {
  t.same(await logOf(t, 'host good.example # x', { from: '10.9.9.9' }), [
    "error AH01753: access check of 'good.example # x' to /f.txt failed, reason: unable to get the remote host name",
  ])
})

t.test('a # ends the names of Require host', async (t) => {
  const names = hosts(t, ['127.0.0.1 localhost'])
  t.ok(await admits(t, 'host localhost # foo', {}, names))
  t.same(await logOf(t, 'host localhost # foo', {}, names), [
    "warn AH10121: authz_host authorize: ignoring comment in 'Require host localhost # foo'",
  ])
  t.notOk(await admits(t, 'host # localhost', {}, names))
  t.same(await logOf(t, 'host # localhost', {}, names), [
    "error AH10120: authz_host authorize: dubious empty 'Require host # localhost' with only comment",
  ])
})

t.test('the names of Require host are an expression', async (t) => {
  const names = hosts(t, ['127.0.0.1 web.example'])
  t.ok(await admits(t, 'host %{HTTP:X-Zone}', { headers: { 'X-Zone': 'example' } }, names))
  t.notOk(await admits(t, 'host %{HTTP:X-Zone}', {}, names))
  t.same(await logOf(t, 'host %{file:/nonexistent}', {}, names), [
    "error AH02593: authz_host authorize: require host: Can't evaluate require expression: Cannot open file /nonexistent",
  ])
  t.equal(
    await configErrorAt({ modules: MODULES, config: directory('host %{NOSUCH}') }),
    "2: Cannot parse expression in require line: Variable 'NOSUCH' does not exist",
  )
})

t.test('Require forward-dns compares all addresses of its names', async (t) => {
  const names = hosts(t, ['10.0.0.1 many', '127.0.0.1 many', '::1 many', '10.0.0.9 one'])
  t.ok(await admits(t, 'forward-dns one many', {}, names))
  t.ok(await admits(t, 'forward-dns many', { from: '::1' }, names))
  t.ok(await admits(t, 'forward-dns 127.0.0.1', {}, names), 'an address counts as its own name')
  t.notOk(await admits(t, 'forward-dns one nosuch', {}, names))
  t.notOk(await admits(t, 'forward-dns', {}, names))
  t.same(await logOf(t, 'forward-dns nosuch one', {}, names), [
    'warn AH03356: No sockaddr info for "nosuch"',
    "debug AH03355: access check for 127.0.0.1 as 'one': no",
  ])
  t.same(await logOf(t, 'forward-dns %{file:/nonexistent}', {}, names), [
    "error AH03354: authz_host authorize: require forward-dns: Can't evaluate require expression: Cannot open file /nonexistent",
  ])
})

t.test('a # ends the names of Require forward-dns', async (t) => {
  const names = hosts(t, ['127.0.0.1 me'])
  t.notOk(await admits(t, 'forward-dns #x me', {}, names))
  t.ok(await admits(t, 'forward-dns me#x', {}, names))
  t.notOk(await admits(t, 'forward-dns other#x me', {}, names))
})

t.test('Require local matches the server itself: loopback, or the same address at both ends', async (t) => {
  for (const [from, expected] of [
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['::1', true],
    ['10.0.0.1', false],
    ['::2', false],
  ] as const) {
    t.equal(await admits(t, 'local ignored', { from }), expected, from)
  }
  const server = await serving(t, 'local')
  t.equal(await statusFor(server, { from: '10.0.0.1', localAddress: '10.0.0.1' }), 200)
})
