import { type AnyModule, defineModule } from '@gatewright/api'
import { fileGroupOf } from '@gatewright/api/peers'
import { headerLogin, moduleLog, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
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

t.test('lines of a group file are parsed as in httpd', async (t) => {
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

/** Status of a request, and the module's own log lines. @param user null for a request without a login */
async function outcome(
  lines: string,
  { user = 'bob', more = [] }: { user?: string | null; more?: readonly AnyModule[] } = {},
): Promise<[number, string[]]> {
  const server = await site({
    modules: [authzCore, authzUser, authzGroupfile, headerLogin, ...more],
    config: `LogLevel authz_groupfile:debug\n<Directory "@ROOT@/docs">\n${lines}\n</Directory>`,
    files: { 'docs/f.txt': 'x' },
  })
  try {
    const { status } = await server.inject({ target: '/f.txt', headers: user === null ? {} : { 'X-User': user } })
    return [status, moduleLog(server, 'authz_groupfile')]
  } finally {
    await server.close()
  }
}

t.test('Require group ignores the case of group names', async (t) => {
  const dir = t.testdir({ groups: 'Staff: bob\nadmins: alice\n' })
  const file = `AuthGroupFile ${dir}/groups\n`
  t.same(await outcome(`${file}Require group admins STAFF`), [200, []])
  t.same(await outcome(`${file}Require group "staff"`), [200, []])
  t.same(await outcome(`${file}Require group admins`), [
    403,
    ["debug AH01667: Authorization of user bob to access /f.txt failed, reason: user is not part of the 'require'ed group(s)."],
  ])
  t.equal((await outcome(`${file}Require group`))[0], 403)
  t.match(await outcome(`${file}Require group %{file:/nonexistent}`), [
    403,
    [/AH02592: authz_groupfile authorize: require group: Can't evaluate/],
  ])
})

t.test('without a user both providers require authentication', async (t) => {
  for (const require of ['group a', 'file-group']) t.equal((await outcome(`Require ${require}`, { user: null }))[0], 401, require)
})

t.test('an unusable file is denied and logged, with separate codes for each provider', async (t) => {
  const dir = t.testdir({ others: 'staff: alice\n' })
  const rows: [string, string, RegExp][] = [
    ['', 'group staff', /error AH01664: No group file was specified in the configuration/],
    ['', 'file-group', /error AH01668: No group file was specified in the configuration/],
    [
      `AuthGroupFile ${dir}/nosuch\n`,
      'group staff',
      /error \(2\)No such file or directory: AH01665: Could not open group file: .*\/nosuch$/,
    ],
    [
      `AuthGroupFile ${dir}/nosuch\n`,
      'file-group',
      /error \(2\)No such file or directory: AH01669: Could not open group file: .*\/nosuch$/,
    ],
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
    const [status, log] = await outcome(`${file}Require ${require}`)
    t.equal(status, 403, require)
    t.match(log, [message], require)
  }
})

t.test('a denial because of a missing file grants access if it is negated', async (t) => {
  t.equal((await outcome('<RequireAll>\nRequire valid-user\nRequire not group x\n</RequireAll>'))[0], 200)
})

t.test('Require file-group requires a module that reports the group of the file', async (t) => {
  const dir = t.testdir({ groups: 'www-data: bob\n' })
  const lines = `AuthGroupFile ${dir}/groups\nRequire file-group`
  t.match(await outcome(lines), [403, [/reason: mod_authz_owner is not loaded\.$/]])
  const owned = (owner: { group: string } | { reason: string }): { more: readonly AnyModule[] } => ({
    more: [
      defineModule({
        name: 'owner_module',
        source: 'mod_owner.c',
        register: ({ functions }) => functions.offer(fileGroupOf, () => owner),
      }),
    ],
  })
  t.same(await outcome(lines, owned({ group: 'www-data' })), [200, []])
  t.match(await outcome(lines, owned({ group: 'root' })), [403, [/debug AH01671: .*'require'ed file group\.$/]])
  t.same(await outcome(lines, owned({ reason: 'reported by the other module' })), [403, []])
})
