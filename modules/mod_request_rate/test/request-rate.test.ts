import { basicAuth, configError, moduleLog, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import dir from '../../mod_dir/src/index.ts'
import remoteip from '../../mod_remoteip/src/index.ts'
import socacheRedis from '../../mod_socache_redis/src/index.ts'
import status from '../../mod_status/src/index.ts'
import requestRate from '../src/index.ts'

const MODULES = [authBasic, authnCore, authnFile, authzCore, authzUser, dir, remoteip, status, requestRate]
const FILES = {
  users: 'alice:{SHA}LnNEJV8jKtmfFq9Xj5SGUhsNZSU=\nbob:{SHA}LnNEJV8jKtmfFq9Xj5SGUhsNZSU=\n',
  'docs/f.txt': 'text',
  'docs/index.html': 'index',
}

async function server(t: Test, config: string): Promise<TestServer> {
  const made = await site({ modules: MODULES, config, files: FILES })
  t.teardown(() => made.close())
  return made
}

/** The statuses of requests, one after the other. Rates of days do not depend on the speed of the machine. */
async function statuses(
  { inject }: TestServer,
  count: number,
  options: { target?: string; headers?: Record<string, string>; remoteAddress?: string } = {},
): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < count; index++) found.push((await inject({ target: '/f.txt', ...options })).status)
  return found
}

t.test('a client gets its burst and one request, then 429 with Retry-After, and other clients get theirs', async (t) => {
  const made = await server(t, 'RequestRate 24r/d burst=2')
  t.strictSame(await statuses(made, 5), [200, 200, 200, 429, 429])
  const refused = await made.inject('/f.txt')
  const seconds = Number(refused.header('Retry-After'))
  t.ok(seconds > 3_000 && seconds <= 3_600, `${seconds} s`)
  t.strictSame(await statuses(made, 3, { remoteAddress: '192.0.2.1' }), [200, 200, 200])
  t.match(moduleLog(made, 'request_rate')[0], /above RequestRate 24r\/d burst=2 \(.*httpd\.conf:\d+\): refused with 429$/)
})

t.test('what was refused is not counted, so the rate is what a client gets that keeps trying', async (t) => {
  const made = await server(t, 'RequestRate 20r/s')
  let served = 0
  const begun = performance.now()
  while (served < 4) {
    if ((await made.inject('/f.txt')).status === 200) served++
  }
  t.ok(performance.now() - begun >= 145, 'three pauses of 50 ms')
})

t.test('limits are those of the innermost section that has some, and off is none', async (t) => {
  const made = await server(
    t,
    'RequestRate 24r/d\n<Location /off>\nRequestRate off\n</Location>\n<Location /wide>\nRequestRate 24r/d burst=1\n</Location>',
  )
  t.strictSame(await statuses(made, 2), [200, 429])
  t.strictSame(await statuses(made, 3, { target: '/off' }), [404, 404, 404])
  t.strictSame(await statuses(made, 3, { target: '/wide' }), [404, 404, 429])
})

t.test('of several lines all must allow a request, and it is counted by all or none', async (t) => {
  const made = await server(t, 'RequestRate 24r/d burst=1\nRequestRate 24r/d burst=3 key=%{HTTP:X-Key}')
  const headers = { 'X-Key': 'a' }
  t.strictSame(await statuses(made, 3, { headers }), [200, 200, 429])
  t.strictSame(await statuses(made, 3, { headers, remoteAddress: '192.0.2.1' }), [200, 200, 429])
  t.strictSame(await statuses(made, 1, { headers, remoteAddress: '192.0.2.2' }), [429])
  t.strictSame(await statuses(made, 3, { remoteAddress: '192.0.2.3' }), [200, 200, 429])
})

t.test('lines of one name share their counts', async (t) => {
  const rate = 'RequestRate 24r/d burst=1 name=shared'
  const made = await server(t, `<Location /a>\n${rate}\n</Location>\n<Location /b>\n${rate}\n</Location>`)
  t.strictSame(await statuses(made, 1, { target: '/a' }), [404])
  t.strictSame(await statuses(made, 2, { target: '/b' }), [404, 429])
  t.strictSame(await statuses(made, 1, { target: '/a' }), [429])
})

t.test('by user: after the login, whatever the address', async (t) => {
  const made = await server(
    t,
    'AuthType Basic\nAuthName a\nAuthBasicProvider file\nAuthUserFile @ROOT@/users\nRequire valid-user\nRequestRate 24r/d key=user'
      .replace(/^/, '<Location />\n')
      .concat('\n</Location>'),
  )
  const alice = basicAuth('alice', 'alice-password')
  t.strictSame(await statuses(made, 2), [401, 401])
  t.strictSame(await statuses(made, 2, { headers: alice }), [200, 429])
  t.strictSame(await statuses(made, 1, { headers: alice, remoteAddress: '192.0.2.1' }), [429])
  t.strictSame(await statuses(made, 1, { headers: basicAuth('bob', 'alice-password') }), [200])
})

t.test('the client is the one that mod_remoteip finds', async (t) => {
  const made = await server(t, 'RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 127.0.0.1\nRequestRate 24r/d')
  const from = (client: string) => ({ headers: { 'X-Forwarded-For': client } })
  t.strictSame(await statuses(made, 2, from('192.0.2.1')), [200, 429])
  t.strictSame(await statuses(made, 1, from('192.0.2.2')), [200])
})

t.test('a client with many addresses of IPv6 has one rate', async (t) => {
  const made = await server(t, 'RequestRate 24r/d')
  t.strictSame(await statuses(made, 1, { remoteAddress: '2001:db8:1:2::1' }), [200])
  t.strictSame(await statuses(made, 1, { remoteAddress: '2001:db8:1:2:ffff::9' }), [429])
  t.strictSame(await statuses(made, 1, { remoteAddress: '2001:db8:1:3::1' }), [200])
})

t.test('a page of a folder and its index file are one request', async (t) => {
  const made = await server(t, 'DirectoryIndex index.html\nRequestRate 24r/d burst=1\nErrorDocument 429 /f.txt')
  t.strictSame(await statuses(made, 3, { target: '/' }), [200, 200, 429])
  t.equal((await made.inject('/')).body, 'text')
})

t.test('a dry run serves, logs and counts', async (t) => {
  const made = await server(
    t,
    'RequestRate 24r/d\nRequestRateDryRun On\n<Location /status>\nSetHandler server-status\nRequestRate off\n</Location>',
  )
  t.strictSame(await statuses(made, 3), [200, 200, 200])
  t.match(moduleLog(made, 'request_rate')[0], /would be refused \(RequestRateDryRun\)/)
  const figures = (await made.inject('/status?auto')).body
  t.match(figures, /^RequestRate: 24r\/d \(.*\)\nRequestRateWithin: 3\nRequestRateAbove: 2$/m)
  const page = (await made.inject('/status')).body
  t.match(page, /<h2>Request rates<\/h2>.*<td>24r\/d \(.*\)<\/td><td>3<\/td><td>2<\/td>/)
})

t.test('a key that cannot be computed is 500', async (t) => {
  const made = await server(t, 'RequestRate 24r/d "key=%{file:/no/such/file}"')
  t.strictSame(await statuses(made, 1), [500])
})

t.test('shared rates are held by what the server shares, where there is no cache of several machines', async (t) => {
  const made = await server(t, 'RequestRate 24r/d burst=2 shared\nRequestRate 24r/d burst=9 key=%{HTTP:X-Key} shared=strict')
  t.strictSame(await statuses(made, 4), [200, 200, 200, 429])
  t.strictSame(await statuses(made, 3, { remoteAddress: '192.0.2.1', headers: { 'X-Key': 'a' } }), [200, 200, 200])
})

t.test('while the cache is away, a machine holds the limit by itself, or refuses what is to be strict', async (t) => {
  const made = await site({
    modules: [...MODULES, socacheRedis],
    config: `SharedCache redis:unix:@ROOT@/no-such-socket
<Location /local>
RequestRate 24r/d burst=1 shared
</Location>
<Location /strict>
RequestRate 24r/d burst=9 shared=strict
</Location>
<Location /dry>
RequestRate 24r/d shared=strict
RequestRateDryRun On
</Location>`,
    files: FILES,
  })
  t.teardown(() => made.close())
  t.strictSame(await statuses(made, 3, { target: '/local' }), [404, 404, 429])
  t.strictSame(await statuses(made, 3, { target: '/strict' }), [503, 503, 503])
  t.strictSame(await statuses(made, 2, { target: '/dry' }), [404, 404])
  t.match(
    moduleLog(made, 'request_rate').join('\n'),
    /burst=9 shared=strict \(.*\): refused with 503, because the SharedCache does not answer/,
  )
})

t.test('wrong lines are refused', async (t) => {
  const refused = (line: string) => configError({ modules: MODULES, config: line })
  for (const line of ['RequestRate', 'RequestRate 10', 'RequestRate 0r/s', 'RequestRate 10r/y', 'RequestRate -1r/s']) {
    t.match(await refused(line), /needs a rate such as 10r\/s/, line)
  }
  t.match(await refused('RequestRate 1r/s burst=x'), /burst=x is not a number/)
  t.match(await refused('RequestRate 1r/d burst=99999'), /longer than a week/)
  t.match(await refused('RequestRate 1r/s shared=maybe'), /'shared=maybe' is not .*shared or shared=strict/)
  t.match(await refused('RequestRate 1r/s nodelay'), /'nodelay' is not burst=NUMBER/)
  t.match(await refused('RequestRate 1r/s "key=%{unclosed"'), /cannot parse expression/)
})
