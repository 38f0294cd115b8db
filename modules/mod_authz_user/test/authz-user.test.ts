import { configError, headerLogin, moduleLog, observedModule, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../src/index.ts'

/** Status without a login, status with one as `user`, and the module's log lines for the latter. */
async function outcomes(
  require: string,
  user: string,
  headers: Record<string, string> = {},
): Promise<[number, number, string[]]> {
  const server = await site({
    modules: [authzCore, authzUser, headerLogin],
    config: `LogLevel authz_user:debug\n<Directory "@ROOT@/docs">\nRequire ${require}\n</Directory>`,
    files: { 'docs/f.txt': 'x' },
  })
  try {
    const before = await server.inject({ target: '/f.txt', headers })
    const known = moduleLog(server, 'authz_user').length
    const after = await server.inject({ target: '/f.txt', headers: { ...headers, 'X-User': user } })
    return [before.status, after.status, moduleLog(server, 'authz_user').slice(known)]
  } finally {
    await server.close()
  }
}

const ASKS = 401

t.test('the module has no directives, and two providers', async (t) => {
  t.equal(authzUser.directives, undefined)
  const observed = observedModule(authzUser)
  const server = await site({ modules: [observed.module] })
  t.teardown(() => server.close())
  t.same(observed.host.providers.authz.names(), ['user', 'valid-user'])
})

t.test('Require user names users exactly', async (t) => {
  const rows: [string, string, number][] = [
    ['user bob', 'bob', 200],
    ['user bob', 'BOB', 403],
    ['user alice bob', 'bob', 200],
    ['user "al ice"', 'al ice', 200],
    ['user alice,bob', 'bob', 403],
    ['user', 'bob', 403],
    ['user bob #x', '#x', 200],
    ['valid-user', 'anybody', 200],
    ['valid-user but not me', 'me', 200],
    ['valid-user', '', 200],
  ]
  for (const [require, user, expected] of rows) {
    const [before, after] = await outcomes(require, user)
    t.equal(before, ASKS, `${require} requires a user`)
    t.equal(after, expected, `${require} / ${user}`)
  }
})

t.test('the refusal of another user is logged at level debug', async (t) => {
  const [, , log] = await outcomes('user alice', 'bob')
  t.same(log, [
    "debug AH01663: access to /f.txt failed, reason: user 'bob' does not meet 'require'ments for user to be allowed access",
  ])
})

t.test('the names are an expression whose value is split into words', async (t) => {
  const require = 'user %{HTTP:X-Users}'
  t.equal((await outcomes(require, 'al ice', { 'X-Users': '"al ice" bob' }))[1], 200)
  t.equal((await outcomes(require, 'bob'))[1], 403)
  const [, after, log] = await outcomes('user %{file:/nonexistent}', 'bob')
  t.equal(after, 403)
  t.same(log, [
    "error AH02594: authz_user authorize: require user: Can't evaluate require expression: Cannot open file /nonexistent",
  ])
  t.match(
    await configError({ modules: [authzCore, authzUser], config: '<Location "/">\nRequire user %{NOSUCH}\n</Location>' }),
    /Cannot parse expression in require line: Variable 'NOSUCH' does not exist/,
  )
})
