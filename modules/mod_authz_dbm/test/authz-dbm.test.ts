import { setImmediate } from 'node:timers/promises'
import { type AnyModule, defineModule, type OptionalFunction } from '@gatewright/api'
import { authNameOf, fileGroupOf } from '@gatewright/api/peers'
import { openDbmWriter } from '@gatewright/dbm'
import { headerLogin, moduleLog, observedModule, type SiteOptions, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import { groupNames, groupsIn } from '../src/groups.ts'
import authzDbm from '../src/index.ts'

t.test('the directive table has the names, contexts and override class of httpd', async (t) => {
  const table = Object.entries(authzDbm.directives ?? {}).map(([name, { kind, context, override }]) => [
    name,
    kind,
    context,
    override,
  ])
  t.same(table, [
    ['AuthDBMGroupFile', 'take1', ['directory', 'htaccess'], 'AuthConfig'],
    ['AuthzDBMType', 'take1', ['directory', 'htaccess'], 'AuthConfig'],
  ])
  const observed = observedModule(authzDbm)
  const server = await site({ modules: [observed.module] })
  t.teardown(() => server.close())
  t.same(observed.host.providers.authz.names(), ['dbm-group', 'dbm-file-group'])
})

t.test('the groups of a record', async (t) => {
  const rows: [string, string[]][] = [
    ['admins,staff', ['admins', 'staff']],
    [':staff', ['staff']],
    ['x:admins:ignored', ['admins']],
    ['$apr1$x:admins, web', ['admins', ' web']],
    [',admins', ['', 'admins']],
  ]
  for (const [value, groups] of rows) t.same(groupsIn(value), groups, value)
  t.same(groupNames('admins\t"staff"  web '), ['admins', '"staff"', 'web'])
  t.same(groupNames(' admins web'), [], 'an empty expression in front')
})

/** Databases of a test, by name: `groups` has all users. */
function databases(dir: string): string {
  const writer = openDbmWriter(`${dir}/groups`, 'SDBM', 'truncate')
  const records: Record<string, string> = {
    bob: 'admins,staff',
    alice: ':staff',
    eve: 'other',
    'eve:R': 'admins',
    empty: '',
    hash: '$apr1$x$y:admins:comment',
  }
  for (const [key, value] of Object.entries(records)) writer.replace(Buffer.from(key), Buffer.from(value))
  writer.close()
  return `AuthzDBMType SDBM\nAuthDBMGroupFile ${dir}/groups\n`
}

function siteWith(lines: string, more: readonly AnyModule[] = []): SiteOptions {
  return {
    modules: [authzCore, authzUser, authzDbm, headerLogin, ...more],
    config: `LogLevel authz_dbm:debug\n<Directory "@ROOT@/docs">\n${lines}\n</Directory>`,
    files: { 'docs/f.txt': 'x' },
  }
}

/** Status of a request, and the module's own log lines. @param user null for a request without a login */
async function outcomeWith(more: readonly AnyModule[], lines: string, user: string | null): Promise<[number, string[]]> {
  const server = await site(siteWith(lines, more))
  try {
    const { status } = await server.inject({ target: '/f.txt', headers: user === null ? {} : { 'X-User': user } })
    return [status, moduleLog(server, 'authz_dbm')]
  } finally {
    await server.close()
  }
}

/** The same, with this realm. */
function outcome(lines: string, user: string | null, realm: string | null = null): Promise<[number, string[]]> {
  return outcomeWith([offering(authNameOf, () => realm)], lines, user)
}

/** A module that offers one function to others. */
function offering<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>, fn: F): AnyModule {
  return defineModule({
    name: 'offering_module',
    source: 'mod_offering.c',
    register: ({ functions }) => functions.offer(key, fn),
  })
}

t.test('Require dbm-group compares groups exactly', async (t) => {
  const file = databases(t.testdir())
  const rows: [string, string, number][] = [
    ['admins', 'bob', 200],
    ['nosuch staff', 'bob', 200],
    ['ADMINS', 'bob', 403],
    ['"admins"', 'bob', 403],
    ['staff', 'alice', 200],
    ['admins', 'hash', 200],
    ['comment', 'hash', 403],
  ]
  for (const [groups, user, expected] of rows) {
    t.equal((await outcome(`${file}Require dbm-group ${groups}`, user))[0], expected, `${groups} / ${user}`)
  }
})

t.test('a record of the user in this realm takes precedence over a record of the user alone', async (t) => {
  const file = databases(t.testdir())
  t.equal((await outcome(`${file}Require dbm-group admins`, 'eve', 'R'))[0], 200)
  t.equal((await outcome(`${file}Require dbm-group other`, 'eve', 'R'))[0], 403)
  t.equal((await outcome(`${file}Require dbm-group other`, 'eve', 'Q'))[0], 200)
  t.equal((await outcome(`${file}Require dbm-group other`, 'eve'))[0], 200)
})

t.test('denials are logged with their reason', async (t) => {
  const dir = t.testdir()
  const file = databases(dir)
  t.same(await outcome(`${file}Require dbm-group web`, 'bob'), [
    403,
    ["error AH01801: Authorization of user bob to access /f.txt failed, reason: user is not part of the 'require'ed group(s)."],
  ])
  const absent = `reason: user doesn't appear in DBM group file (${dir}/groups).`
  for (const user of ['zoe', 'empty']) {
    t.same(await outcome(`${file}Require dbm-group web`, user), [
      403,
      [`error AH01800: Authorization of user ${user} to access /f.txt failed, ${absent}`],
    ])
  }
  t.match(await outcome(`${file}Require dbm-group %{file:/nonexistent}`, 'bob'), [
    403,
    [/^error Evaluation of expression /, /AH02591: authz_dbm authorize: require dbm-group: Can't evaluate/],
  ])
  t.same(await outcome('Require dbm-group web', 'bob'), [
    403,
    ['error AH01798: No group file was specified in the configuration'],
  ])
})

t.test(
  'a database that cannot be opened is 500 whatever other requirements there are, unless an earlier grant hides it',
  async (t) => {
    const file = `${t.testdir()}/nosuch`
    const lines = `AuthzDBMType SDBM\nAuthDBMGroupFile ${file}\n`
    const message = `error (2)No such file or directory: AH01799: could not open dbm (type SDBM) group access file: ${file}`
    t.same(await outcome(`${lines}Require dbm-group a\nRequire valid-user`, 'bob'), [500, [message]])
    t.same(await outcome(`${lines}<RequireAll>\nRequire valid-user\nRequire not dbm-group a\n</RequireAll>`, 'bob'), [
      500,
      [message],
    ])
    t.same(await outcome(`${lines}Require valid-user\nRequire dbm-group a`, 'bob'), [200, []])
    t.same(await outcome(`${lines}Require dbm-file-group`, 'bob'), [403, [message]], 'the other form only denies')
    t.match(await outcome(`AuthzDBMType FOO\nAuthDBMGroupFile ${file}\nRequire dbm-group a`, 'bob'), [
      500,
      [/\(20019\)DSO load failed: AH01799: could not open dbm \(type FOO\)/],
    ])
  },
)

t.test('a database is read again after it changes', async (t) => {
  const dir = t.testdir()
  const lines = databases(dir)
  const server = await site(siteWith(`${lines}Require dbm-group web`))
  t.teardown(() => server.close())
  const request = { target: '/f.txt', headers: { 'X-User': 'bob' } }
  t.equal((await server.inject(request)).status, 403)
  const writer = openDbmWriter(`${dir}/groups`, 'SDBM', 'existing')
  writer.replace(Buffer.from('bob'), Buffer.from('web'))
  writer.close()
  // The server checks a file once per turn of the event loop.
  await setImmediate()
  t.equal((await server.inject(request)).status, 200)
})

t.test('Require dbm-file-group requires a module that reports the group of the file', async (t) => {
  const file = databases(t.testdir())
  const owned = (owner: { group: string } | { reason: string } | undefined): Promise<[number, string[]]> =>
    outcomeWith(owner === undefined ? [] : [offering(fileGroupOf, () => owner)], `${file}Require dbm-file-group`, 'bob')
  t.same(await owned({ group: 'staff' }), [200, []])
  t.match(await owned({ group: 'root' }), [403, [/AH01805: .* not part of the 'require'ed group\(s\)\.$/]])
  t.match(await owned({ reason: 'reported by the other module' }), [
    403,
    [/AH01805: .* not part of the 'require'ed group\(s\)\.$/],
  ])
  t.match(await owned(undefined), [403, [/reason: mod_authz_owner is not loaded\.$/]])
  t.match(await outcome(`${file}Require dbm-file-group`, 'zoe'), [403, [/AH01804/]])
  t.match(await outcome('Require dbm-file-group', 'bob'), [403, [/AH01802/]])
})

t.test('without a user both providers require authentication', async (t) => {
  t.equal((await outcome('Require dbm-group a\nRequire dbm-file-group', null))[0], 401)
})
