import { authNameOf, fileGroupOf } from '@gatewright/api/peers'
import { openDbmWriter } from '@gatewright/dbm'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
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
  t.same(new FakeHost([authzDbm]).authz.names(), ['dbm-group', 'dbm-file-group'])
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

/** Databases of a test, by name: `groups` has everybody. */
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

async function outcome(lines: string, user: string, realm: string | null = null): Promise<[number, string[]]> {
  const host = new FakeHost([authzCore, authzDbm])
  host.functions.offer(authNameOf, () => realm)
  const error = host.configure(`<Directory /d>\n${lines}\n</Directory>`)
  if (error !== undefined) throw new Error(error)
  const status = await host.runFirst('authChecker', host.request({ user }))
  return [status, host.logs.take().filter((line) => line.startsWith('authz_dbm:'))]
}

t.test('Require dbm-group compares groups exactly', async (t) => {
  const file = databases(t.testdir())
  const rows: [string, string, number][] = [
    ['admins', 'bob', 0],
    ['nosuch staff', 'bob', 0],
    ['ADMINS', 'bob', 403],
    ['"admins"', 'bob', 403],
    ['staff', 'alice', 0],
    ['admins', 'hash', 0],
    ['comment', 'hash', 403],
  ]
  for (const [groups, user, expected] of rows) {
    t.equal((await outcome(`${file}Require dbm-group ${groups}`, user))[0], expected, `${groups} / ${user}`)
  }
})

t.test('a record of the user in this realm counts before one of the user alone', async (t) => {
  const file = databases(t.testdir())
  t.equal((await outcome(`${file}Require dbm-group admins`, 'eve', 'R'))[0], 0)
  t.equal((await outcome(`${file}Require dbm-group other`, 'eve', 'R'))[0], 403)
  t.equal((await outcome(`${file}Require dbm-group other`, 'eve', 'Q'))[0], 0)
  t.equal((await outcome(`${file}Require dbm-group other`, 'eve'))[0], 0)
})

t.test('denials are logged with their reason', async (t) => {
  const dir = t.testdir()
  const file = databases(dir)
  t.same(await outcome(`${file}Require dbm-group web`, 'bob'), [
    403,
    [
      "authz_dbm:error AH01801: Authorization of user bob to access /f.txt failed, reason: user is not part of the 'require'ed group(s).",
    ],
  ])
  const absent = `reason: user doesn't appear in DBM group file (${dir}/groups).`
  for (const user of ['zoe', 'empty']) {
    t.same(await outcome(`${file}Require dbm-group web`, user), [
      403,
      [`authz_dbm:error AH01800: Authorization of user ${user} to access /f.txt failed, ${absent}`],
    ])
  }
  t.match(await outcome(`${file}Require dbm-group %{FAIL}`, 'bob'), [
    403,
    [/AH02591: authz_dbm authorize: require dbm-group: Can't evaluate/],
  ])
  t.same(await outcome('Require dbm-group web', 'bob'), [
    403,
    ['authz_dbm:error AH01798: No group file was specified in the configuration'],
  ])
})

t.test('a database that cannot be opened is 500 whatever stands beside it, unless an earlier grant hides it', async (t) => {
  const file = `${t.testdir()}/nosuch`
  const lines = `AuthzDBMType SDBM\nAuthDBMGroupFile ${file}\n`
  const message = `authz_dbm:error (2)No such file or directory: AH01799: could not open dbm (type SDBM) group access file: ${file}`
  t.same(await outcome(`${lines}Require dbm-group a\nRequire all granted`, 'bob'), [500, [message]])
  t.same(await outcome(`${lines}<RequireAll>\nRequire all granted\nRequire not dbm-group a\n</RequireAll>`, 'bob'), [
    500,
    [message],
  ])
  t.same(await outcome(`${lines}Require all granted\nRequire dbm-group a`, 'bob'), [0, []])
  t.same(await outcome(`${lines}Require dbm-file-group`, 'bob'), [403, [message]], 'the other form only denies')
  t.match(await outcome(`AuthzDBMType FOO\nAuthDBMGroupFile ${file}\nRequire dbm-group a`, 'bob'), [
    500,
    [/\(20019\)DSO load failed: AH01799: could not open dbm \(type FOO\)/],
  ])
})

t.test('a database is read anew when it changes', async (t) => {
  const dir = t.testdir()
  const lines = databases(dir)
  const host = new FakeHost([authzCore, authzDbm])
  host.configure(`<Directory /d>\n${lines}Require dbm-group web\n</Directory>`)
  t.equal(await host.runFirst('authChecker', host.request({ user: 'bob' })), 403)
  const writer = openDbmWriter(`${dir}/groups`, 'SDBM', 'existing')
  writer.replace(Buffer.from('bob'), Buffer.from('web'))
  writer.close()
  t.equal(await host.runFirst('authChecker', host.request({ user: 'bob' })), 0)
})

t.test('Require dbm-file-group needs to be told the group that owns the file', async (t) => {
  const file = databases(t.testdir())
  const owned = async (owner: { group: string } | { reason: string } | undefined): Promise<[number, string[]]> => {
    const host = new FakeHost([authzCore, authzDbm])
    if (owner !== undefined) host.functions.offer(fileGroupOf, () => owner)
    host.configure(`<Directory /d>\n${file}Require dbm-file-group\n</Directory>`)
    const status = await host.runFirst('authChecker', host.request({ user: 'bob' }))
    return [status, host.logs.take().filter((line) => line.startsWith('authz_dbm:'))]
  }
  t.same(await owned({ group: 'staff' }), [0, []])
  t.match(await owned({ group: 'root' }), [403, [/AH01805: .* not part of the 'require'ed group\(s\)\.$/]])
  t.match(await owned({ reason: 'told by whoever offers the function' }), [
    403,
    [/AH01805: .* not part of the 'require'ed group\(s\)\.$/],
  ])
  t.match(await owned(undefined), [403, [/reason: mod_authz_owner is not loaded\.$/]])
  t.match(await outcome(`${file}Require dbm-file-group`, 'zoe'), [403, [/AH01804/]])
  t.match(await outcome('Require dbm-file-group', 'bob'), [403, [/AH01802/]])
})

t.test('without a user both forms ask for one', async (t) => {
  const host = new FakeHost([authzCore, authzDbm])
  host.configure('<Directory /d>\nRequire dbm-group a\nRequire dbm-file-group\n</Directory>')
  t.equal(await host.runFirst('accessCheckerEx', host.request()), -1)
})
