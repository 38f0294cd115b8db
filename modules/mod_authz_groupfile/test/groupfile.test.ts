import { fileGroupOf } from '@gatewright/api/peers'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import authzGroupfile from '../src/index.ts'
import { readGroupFile } from './read-group-file.ts'

t.test('the directive table has the name, contexts and override class of httpd', async (t) => {
  const table = Object.entries(authzGroupfile.directives ?? {}).map(([name, { kind, context, override }]) => [
    name,
    kind,
    context,
    override,
  ])
  t.same(table, [['AuthGroupFile', 'take1', ['directory', 'htaccess'], 'AuthConfig']])
})

t.test('lines of a group file are read as httpd reads them', async (t) => {
  const file = readGroupFile(
    [
      '# comment: bob',
      '',
      'Staff  : bob "al ice" \'o neil\'',
      'staff: zoe',
      'admins:bob,carol dave',
      'no colon bob',
      ' lead: bob',
      'long: a \\',
      'b',
    ].join('\n'),
  )
  const groups = (user: string): string[] | undefined => {
    const found = file.groupsOf(user)
    return found === undefined ? undefined : [...found].sort()
  }
  t.same(groups('bob'), ['lead', 'staff'])
  t.same(groups('al ice'), ['staff'])
  t.same(groups('o neil'), ['staff'])
  t.same(groups('zoe'), ['staff'])
  t.same(groups('bob,carol'), ['admins'])
  t.same(groups('b'), ['long'])
  t.equal(groups('carol'), undefined)
  t.equal(groups('BOB'), undefined)
})

async function outcome(host: FakeHost, lines: string): Promise<[number, string[]]> {
  const error = host.configure(`<Directory /d>\n${lines}\n</Directory>`)
  if (error !== undefined) throw new Error(error)
  const status = await host.runFirst('authChecker', host.request({ user: 'bob' }))
  return [status, host.logs.take().filter((line) => line.startsWith('authz_groupfile:'))]
}

const fresh = (): FakeHost => new FakeHost([authzCore, authzGroupfile])

t.test('Require group compares names of groups without regard to case', async (t) => {
  const dir = t.testdir({ groups: 'Staff: bob\nadmins: alice\n' })
  const file = `AuthGroupFile ${dir}/groups\n`
  t.same(await outcome(fresh(), `${file}Require group admins STAFF`), [0, []])
  t.same(await outcome(fresh(), `${file}Require group "staff"`), [0, []])
  t.same(await outcome(fresh(), `${file}Require group admins`), [
    403,
    [
      "authz_groupfile:debug AH01667: Authorization of user bob to access /f.txt failed, reason: user is not part of the 'require'ed group(s).",
    ],
  ])
  t.equal((await outcome(fresh(), `${file}Require group`))[0], 403)
  t.match(await outcome(fresh(), `${file}Require group %{FAIL}`), [
    403,
    [/AH02592: authz_groupfile authorize: require group: Can't evaluate/],
  ])
})

t.test('without a user both forms ask for one', async (t) => {
  for (const require of ['group a', 'file-group']) {
    const host = fresh()
    host.configure(`<Directory /d>\nRequire ${require}\n</Directory>`)
    t.equal(await host.runFirst('accessCheckerEx', host.request()), -1, require)
  }
})

t.test('what is wrong with the file is denied and logged, by each form with its own numbers', async (t) => {
  const dir = t.testdir({ others: 'staff: alice\n' })
  const rows: [string, string, RegExp][] = [
    ['', 'group staff', /error AH01664: No group file was specified in the configuration/],
    ['', 'file-group', /error AH01668: No group file was specified in the configuration/],
    [`AuthGroupFile ${dir}/nosuch\n`, 'group staff', /error \(ENOENT\) AH01665: Could not open group file: .*\/nosuch$/],
    [`AuthGroupFile ${dir}/nosuch\n`, 'file-group', /error \(ENOENT\) AH01669: Could not open group file: .*\/nosuch$/],
    [
      `AuthGroupFile ${dir}/others\n`,
      'group staff',
      /info AH01666: .* reason: user doesn't appear in group file \(.*\/others\)\.$/,
    ],
    [
      `AuthGroupFile ${dir}/others\n`,
      'file-group',
      /error AH01670: .* reason: user doesn't appear in group file \(.*\/others\)\.$/,
    ],
  ]
  for (const [file, require, message] of rows) {
    const [status, log] = await outcome(fresh(), `${file}Require ${require}`)
    t.equal(status, 403, require)
    t.match(log, [message], require)
  }
})

t.test('a denial for lack of a file lets the user in where it is negated', async (t) => {
  t.equal((await outcome(fresh(), '<RequireAll>\nRequire all granted\nRequire not group x\n</RequireAll>'))[0], 0)
})

t.test('Require file-group needs to be told the group that owns the file', async (t) => {
  const dir = t.testdir({ groups: 'www-data: bob\n' })
  const lines = `AuthGroupFile ${dir}/groups\nRequire file-group`
  t.match(await outcome(fresh(), lines), [403, [/reason: mod_authz_owner is not loaded\.$/]])
  const owned = (owner: { group: string } | { reason: string }): FakeHost => {
    const host = fresh()
    host.functions.offer(fileGroupOf, () => owner)
    return host
  }
  t.same(await outcome(owned({ group: 'www-data' }), lines), [0, []])
  t.match(await outcome(owned({ group: 'root' }), lines), [403, [/debug AH01671: .*'require'ed file group\.$/]])
  t.same(await outcome(owned({ reason: 'told by whoever offers the function' }), lines), [403, []])
})
