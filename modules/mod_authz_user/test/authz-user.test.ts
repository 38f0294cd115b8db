import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import authzUser from '../src/index.ts'

/** Status before authentication and after it as `user`, and the module's own log lines. */
async function outcomes(
  require: string,
  user: string,
  headers: Record<string, string> = {},
): Promise<[number, number, string[]]> {
  const host = new FakeHost([authzCore, authzUser])
  const error = host.configure(`<Directory /d>\nRequire ${require}\n</Directory>`)
  if (error !== undefined) throw new Error(error)
  const before = await host.runFirst('accessCheckerEx', host.request({ headers }))
  host.logs.take()
  const after = await host.runFirst('authChecker', host.request({ user, headers }))
  return [before, after, host.logs.take().filter((line) => line.startsWith('authz_user:'))]
}

const ASKS = -1

t.test('the module has no directives, and two providers', async (t) => {
  t.equal(authzUser.directives, undefined)
  t.same(new FakeHost([authzUser]).authz.names(), ['user', 'valid-user'])
})

t.test('Require user names users exactly', async (t) => {
  const rows: [string, string, number][] = [
    ['user bob', 'bob', 0],
    ['user bob', 'BOB', 403],
    ['user alice bob', 'bob', 0],
    ['user "al ice"', 'al ice', 0],
    ['user alice,bob', 'bob', 403],
    ['user', 'bob', 403],
    ['user bob #x', '#x', 0],
    ['valid-user', 'anybody', 0],
    ['valid-user but not me', 'me', 0],
    ['valid-user', '', 0],
  ]
  for (const [require, user, expected] of rows) {
    const [before, after] = await outcomes(require, user)
    t.equal(before, ASKS, `${require} asks for a user`)
    t.equal(after, expected, `${require} / ${user}`)
  }
})

t.test('another user is a matter for the debug log', async (t) => {
  const [, , log] = await outcomes('user alice', 'bob')
  t.same(log, [
    "authz_user:debug AH01663: access to /f.txt failed, reason: user 'bob' does not meet 'require'ments for user to be allowed access",
  ])
})

t.test('the names are an expression that is split into words afterwards', async (t) => {
  const require = 'user %{HTTP:X-Users}'
  t.equal((await outcomes(require, 'al ice', { 'X-Users': '"al ice" bob' }))[1], 0)
  t.equal((await outcomes(require, 'bob'))[1], 403)
  const [, after, log] = await outcomes('user %{FAIL}', 'bob')
  t.equal(after, 403)
  t.same(log, [
    "authz_user:error AH02594: authz_user authorize: require user: Can't evaluate require expression: Cannot open file /nonexistent",
  ])
  await t.rejects(outcomes('user %{NOSUCH}', 'bob'), {
    message: /Cannot parse expression in require line: Variable 'NOSUCH' does not exist/,
  })
})
