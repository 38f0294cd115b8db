import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import type { RequestFacts } from '../../mod_authz_core/test/fakes/fake-request.ts'
import { type FakeWorld, fakeHostServices } from '../../mod_authz_core/test/fakes/fake-services.ts'
import authzHost from '../src/index.ts'

function hostWith(require: string, world: FakeWorld = {}): FakeHost {
  const host = new FakeHost([authzCore, authzHost], { services: fakeHostServices(world) })
  const error = host.configure(`<Directory /d>\nRequire ${require}\n</Directory>`)
  if (error !== undefined) throw new Error(error)
  return host
}

async function admits(require: string, facts: RequestFacts, world?: FakeWorld): Promise<boolean> {
  const host = hostWith(require, world)
  return (await host.runFirst('accessCheckerEx', host.request(facts))) === 0
}

/** Only the lines of mod_authz_host. */
async function logOf(require: string, facts: RequestFacts, world?: FakeWorld): Promise<string[]> {
  const host = hostWith(require, world)
  await host.runFirst('accessCheckerEx', host.request(facts))
  return host.logs.take().filter((line) => line.startsWith('authz_host:'))
}

t.test('the module has no directives, and four providers', async (t) => {
  t.equal(authzHost.directives, undefined)
  t.same(new FakeHost([authzHost]).authz.names(), ['ip', 'host', 'forward-dns', 'local'])
})

t.test(
  'a check of another provider is not joined, because a negation would grant access to the clients that it denies',
  async (t) => {
    const provider = new FakeHost([authzHost]).authz.get('ip')
    t.throws(() => provider?.anyOf?.([() => 'granted']), /another provider/)
  },
)

t.test('many lines of Require ip grant access if one of them does, and only for the methods of a Limit', async (t) => {
  const host = new FakeHost([authzCore, authzHost], { services: fakeHostServices({}) })
  const lines = Array.from({ length: 300 }, (_, index) => `Require ip 10.${index >> 8}.${index & 255}.0/24`)
  t.equal(host.configure(['<Directory /d>', ...lines, 'Require ip 2001:db8::/32', '</Directory>'].join('\n')), undefined)
  const decide = (from: string) => host.runFirst('accessCheckerEx', host.request({ from }))
  for (const from of ['10.0.0.1', '10.0.255.7', '10.1.43.255', '2001:db8::1']) t.equal(await decide(from), 0, from)
  for (const from of ['10.1.44.0', '9.255.255.255', '2001:db9::1']) t.equal(await decide(from), 403, from)
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
    t.equal(await admits(`ip ${networks}`, { from }), expected, `${networks} ${from}`)
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
  for (const [require, message] of rows) t.throws(() => hostWith(require), { message: `2: ${message}` }, require)
})

t.test('a client whose address cannot be parsed is an error, not a denial', async (t) => {
  await t.rejects(admits('not ip 10.1\nRequire all granted', { from: 'somebody' }))
  await t.rejects(admits('ip 10.1', { from: 'somebody' }))
})

t.test('Require host matches the name or its end at a dot', async (t) => {
  const names = { '10.0.0.1': 'web.good.example', '10.0.0.2': 'nogood.example' }
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
    t.equal(await admits(`host ${words}`, { from: '10.0.0.1' }, { names }), first, `${words} / web.good.example`)
    t.equal(await admits(`host ${words}`, { from: '10.0.0.2' }, { names, slowNames: true }), second, `${words} / nogood.example`)
  }
})

t.test('Require host denies and logs a client without a name', async (t) => {
  t.same(await logOf('host good.example # x', { from: '10.9.9.9' }), [
    "authz_host:error AH01753: access check of 'good.example # x' to /f.txt failed, reason: unable to get the remote host name",
  ])
})

t.test('a # ends the names of Require host', async (t) => {
  const names = { '127.0.0.1': 'localhost' }
  t.ok(await admits('host localhost # foo', {}, { names }))
  t.same(await logOf('host localhost # foo', {}, { names }), [
    "authz_host:warn AH10121: authz_host authorize: ignoring comment in 'Require host localhost # foo'",
  ])
  t.notOk(await admits('host # localhost', {}, { names }))
  t.same(await logOf('host # localhost', {}, { names }), [
    "authz_host:error AH10120: authz_host authorize: dubious empty 'Require host # localhost' with only comment",
  ])
})

t.test('the names of Require host are an expression', async (t) => {
  const world = { names: { '127.0.0.1': 'web.example' } }
  t.ok(await admits('host %{HTTP:X-Zone}', { headers: { 'X-Zone': 'example' } }, world))
  t.notOk(await admits('host %{HTTP:X-Zone}', {}, world))
  t.same(await logOf('host %{FAIL}', {}, world), [
    "authz_host:error AH02593: authz_host authorize: require host: Can't evaluate require expression: Cannot open file /nonexistent",
  ])
  t.throws(() => hostWith('host %{NOSUCH}'), {
    message: "2: Cannot parse expression in require line: Variable 'NOSUCH' does not exist",
  })
})

t.test('Require forward-dns compares all addresses of its names', async (t) => {
  const world = { addresses: { many: ['10.0.0.1', '127.0.0.1', '::1'], one: ['10.0.0.9'] } }
  t.ok(await admits('forward-dns one many', {}, world))
  t.ok(await admits('forward-dns many', { from: '::1' }, world))
  t.ok(await admits('forward-dns 127.0.0.1', {}, world), 'an address is a name of its own')
  t.notOk(await admits('forward-dns one nosuch', {}, world))
  t.notOk(await admits('forward-dns', {}, world))
  t.same(await logOf('forward-dns nosuch one', {}, world), [
    'authz_host:warn AH03356: No sockaddr info for "nosuch"',
    "authz_host:debug AH03355: access check for 127.0.0.1 as 'one': no",
  ])
  t.same(await logOf('forward-dns %{FAIL}', {}, world), [
    "authz_host:error AH03354: authz_host authorize: require forward-dns: Can't evaluate require expression: Cannot open file /nonexistent",
  ])
})

t.test('a # ends the names of Require forward-dns', async (t) => {
  const world = { addresses: { me: ['127.0.0.1'] } }
  t.notOk(await admits('forward-dns #x me', {}, world))
  t.ok(await admits('forward-dns me#x', {}, world))
  t.notOk(await admits('forward-dns other#x me', {}, world))
})

t.test('Require local matches the server itself: loopback, or the same address at both ends', async (t) => {
  for (const [from, expected] of [
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['::1', true],
    ['10.0.0.1', false],
    ['::2', false],
  ] as const) {
    t.equal(await admits('local ignored', { from }), expected, from)
  }
  const host = hostWith('local')
  const request = {
    ...host.request({ from: '10.0.0.1' }),
    connection: { ...host.request().connection, localAddress: '10.0.0.1' },
  }
  t.equal(await host.runFirst('accessCheckerEx', request), 0)
})
