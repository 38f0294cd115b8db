import { DatabaseSync } from 'node:sqlite'
import type { AnyModule } from '@gatewright/api'
import { basicAuth, configError, moduleLog, type SiteOptions, site } from '@gatewright/testing'
import t from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import dbd from '../../mod_dbd/src/index.ts'
import env from '../../mod_env/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import authnDbd from '../src/index.ts'
import { variableName } from '../src/variables.ts'

const MODULES: readonly AnyModule[] = [authzCore, authzUser, authnCore, authBasic, headers, env, dbd, authnDbd]
/** The hash of `secret`. */
const HASH = '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ='

/** A site with users in an SQLite file, which has been made before it starts. */
function siteWith(t: { testdir(): string }, config: string, sql: string): SiteOptions {
  const path = `${t.testdir()}/users.db`
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
  return { modules: MODULES, config: `DBDriver sqlite3\nDBDParams "${path}"\n${config}`, files: { 'docs/u': 'ok\n' } }
}

function section(path: string, ...lines: readonly string[]): string {
  return `<Location "${path}">\nAuthType Basic\nAuthName x\nAuthBasicProvider dbd\nRequire valid-user\n${lines.join('\n')}\n</Location>\n`
}

const QUERY = 'AuthDBDUserPWQuery "SELECT hash, mail, \\"full name\\" FROM users WHERE name = %s"'
const USERS = `CREATE TABLE users(name TEXT, hash TEXT, mail TEXT, "full name" TEXT);
INSERT INTO users VALUES('alice', '${HASH}', 'a@x', NULL);
INSERT INTO users VALUES('null', NULL, 'n@x', 'n');
INSERT INTO users VALUES('second', NULL, 'first', 'row');
INSERT INTO users VALUES('second', '${HASH}', 'later', NULL);
INSERT INTO users VALUES('empty', '', 'e@x', 'e');`

t.test('a password is checked against the first value that the query finds', async (t) => {
  const server = await site(siteWith(t, section('/u', QUERY), USERS))
  t.teardown(() => server.close())
  const status = async (user: string, password: string): Promise<number> =>
    (await server.inject({ target: '/u', headers: basicAuth(user, password) })).status
  t.equal(await status('alice', 'secret'), 200)
  t.equal(await status('alice', 'other'), 401)
  t.equal(await status('null', ''), 401)
  t.equal(await status('empty', ''), 401)
  t.equal(await status('second', 'secret'), 200, 'a row with NULL is passed over')
})

t.test('no name, however it is written, changes the query', async (t) => {
  const server = await site(siteWith(t, section('/u', QUERY), USERS))
  t.teardown(() => server.close())
  const names = [
    "' OR '1'='1",
    "alice' --",
    "alice'; DROP TABLE users; --",
    '%s',
    '%',
    '_lice',
    'ALICE',
    'alice ',
    '?',
    '?1',
    ':name',
    '$1',
    '\\',
    '"',
    '\u00ff\u00fe',
    'x'.repeat(3_000),
    "alice' UNION SELECT hash FROM users --",
  ]
  for (const name of names) {
    t.equal((await server.inject({ target: '/u', headers: basicAuth(name, 'secret') })).status, 401, name.slice(0, 40))
  }
  t.equal((await server.inject({ target: '/u', headers: basicAuth('alice', 'secret') })).status, 200, 'the table is still there')
})

t.test('further columns become variables, and NULL sets none', async (t) => {
  const header = 'Header always set X "%{AUTHENTICATE_MAIL}e %{AUTHENTICATE_FULL_NAME}e"\n'
  const server = await site(siteWith(t, header + section('/u', QUERY), USERS))
  t.teardown(() => server.close())
  const response = await server.inject({ target: '/u', headers: basicAuth('alice', 'secret') })
  t.equal(response.header('X'), 'a@x (null)')
  const second = await server.inject({ target: '/u', headers: basicAuth('second', 'secret') })
  t.equal(second.header('X'), 'later (null)', 'NULL in a later row removes the variable of an earlier one')
  t.equal(variableName('a-b c\u00fc1'), 'AUTHENTICATE_A_B_C_1')
})

t.test('a query that the database does not accept, or none, lets nobody in', async (t) => {
  const broken = await site(siteWith(t, section('/u', QUERY), 'CREATE TABLE other(x)'))
  t.teardown(() => broken.close())
  t.equal((await broken.inject({ target: '/u', headers: basicAuth('alice', 'secret') })).status, 500)
  t.strictSame(moduleLog(broken, 'authn_dbd'), ["error AH01653: Failed to acquire database connection to look up user 'alice'"])
  const internal = '(20014)Internal error (specific information not available): '
  t.strictSame(moduleLog(broken, 'dbd').slice(-2), [
    `error ${internal}AH00632: failed to prepare SQL statements: no such table: users`,
    `error ${internal}AH00633: failed to initialise`,
  ])

  const none = await site(siteWith(t, section('/u'), USERS))
  t.teardown(() => none.close())
  t.equal((await none.inject({ target: '/u', headers: basicAuth('alice', 'secret') })).status, 500)
  t.strictSame(moduleLog(none, 'authn_dbd'), ['error AH01654: No AuthDBDUserPWQuery has been specified'])
})

t.test('a statement that fails when it runs lets nobody in, and others are served', async (t) => {
  const failing = 'AuthDBDUserPWQuery "SELECT abs(-9223372036854775808) || %s"'
  const server = await site(siteWith(t, section('/u', QUERY) + section('/fails', failing), USERS))
  t.teardown(() => server.close())
  t.equal((await server.inject({ target: '/fails', headers: basicAuth('alice', 'secret') })).status, 500)
  t.strictSame(moduleLog(server, 'authn_dbd'), [
    "error AH01656: Query execution error looking up 'alice' in database [integer overflow]",
  ])
  t.equal((await server.inject({ target: '/u', headers: basicAuth('alice', 'secret') })).status, 200)
})

t.test('without DBDriver nobody gets in', async (t) => {
  const server = await site({ modules: MODULES, config: section('/u', QUERY) })
  t.teardown(() => server.close())
  t.equal((await server.inject({ target: '/u', headers: basicAuth('alice', 'secret') })).status, 500)
  t.ok(moduleLog(server, 'dbd').some((line) => line.includes("AH00626: can't find driver for [DBDriver unset]")))
})

t.test('the queries need mod_dbd and belong into sections', async (t) => {
  t.match(
    await configError({ modules: [authzCore, authnDbd], config: `<Location />\n${QUERY}\n</Location>` }),
    'You must load mod_dbd to enable AuthDBD functions',
  )
  t.match(await configError({ modules: MODULES, config: QUERY }), 'AuthDBDUserPWQuery not allowed here')
})
