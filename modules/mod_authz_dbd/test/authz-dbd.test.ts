import { DatabaseSync } from 'node:sqlite'
import { type AnyModule, type Database, defineModule, type ModuleHost } from '@gatewright/api'
import { databaseOf, prepareStatement } from '@gatewright/api/peers'
import { configError, headerLogin, moduleLog, type SiteOptions, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import dbd from '../../mod_dbd/src/index.ts'
import authzDbd from '../src/index.ts'

const MODULES: readonly AnyModule[] = [authzCore, authzUser, headerLogin, dbd, authzDbd]

const TABLES = `CREATE TABLE teams(name, team); CREATE TABLE logins(name, state); CREATE TABLE pages(name, url);
INSERT INTO teams VALUES('alice', 'staff'), ('alice', 'Admins'), ('bob', NULL), ('o''neil', 'staff');
INSERT INTO logins VALUES('alice', 'out'), ('bob', 'out'), ('bob', 'out');
INSERT INTO pages VALUES('alice', NULL), ('alice', '/welcome');`

/** A site with an SQLite file, which has been made before it starts. */
function siteWith(t: { testdir(): string }, config: string): SiteOptions & { readonly database: string } {
  const path = `${t.testdir()}/site.db`
  const database = new DatabaseSync(path)
  database.exec(TABLES)
  database.close()
  return {
    modules: MODULES,
    config: `DBDriver sqlite3\nDBDParams "${path}"\n${config}`,
    files: { 'docs/u': 'ok\n' },
    database: path,
  }
}

const as = (user: string, fields: Readonly<Record<string, string>> = {}) => ({ headers: { 'X-User': user, ...fields } })
const TEAMS = 'AuthzDBDQuery "SELECT team FROM teams WHERE name = %s"'
const LOGIN = 'AuthzDBDQuery "UPDATE logins SET state = \'in\' WHERE name = %s"'

t.test('dbd-group compares the groups of all rows exactly', async (t) => {
  const server = await site(
    siteWith(
      t,
      `<Location /u>\n${TEAMS}\nRequire dbd-group managers staff\n</Location>\n<Location /c>\n${TEAMS}\nRequire dbd-group admins\n</Location>`,
    ),
  )
  t.teardown(() => server.close())
  t.equal((await server.inject({ target: '/u', ...as('alice') })).status, 200)
  t.equal((await server.inject({ target: '/u', ...as("o'neil") })).status, 200)
  t.equal((await server.inject({ target: '/u', ...as('bob') })).status, 403, 'NULL is no group')
  t.equal((await server.inject({ target: '/u', ...as('nobody') })).status, 403)
  t.equal((await server.inject({ target: '/u', ...as("x' OR '1'='1") })).status, 403)
  t.equal((await server.inject({ target: '/c', ...as('alice') })).status, 403, 'in another case')
})

t.test('dbd-group denies everybody if its query is missing or fails', async (t) => {
  const fails = 'AuthzDBDQuery "SELECT abs(-9223372036854775808) || %s"'
  const server = await site(
    siteWith(
      t,
      `<Location /none>\nRequire dbd-group staff\n</Location>\n<Location /fails>\n${fails}\nRequire dbd-group staff\n</Location>`,
    ),
  )
  t.teardown(() => server.close())
  t.equal((await server.inject({ target: '/none', ...as('alice') })).status, 500)
  t.equal((await server.inject({ target: '/fails', ...as('alice') })).status, 500)
  t.strictSame(moduleLog(server, 'authz_dbd'), [
    'error AH01649: No query configured for dbd-group!',
    'error AH01652: authz_dbd, in groups query for alice [integer overflow]',
  ])
})

t.test('dbd-login records the login, grants whatever it changes, and redirects', async (t) => {
  const redirect = 'AuthzDBDRedirectQuery "SELECT url FROM pages WHERE name = %s"'
  const options = siteWith(t, `<Location /u>\n${LOGIN}\n${redirect}\nAuthzDBDLoginToReferer On\nRequire dbd-login\n</Location>`)
  const server = await site(options)
  t.teardown(() => server.close())
  const first = await server.inject({ target: '/u', ...as('alice') })
  t.equal(first.status, 302)
  t.equal(first.header('Location'), '/welcome', 'the first value that is not NULL')
  const second = await server.inject({ target: '/u', ...as('alice', { Referer: '/from' }) })
  t.equal(second.status, 302)
  t.equal(second.header('Location'), '/from')
  t.equal((await server.inject({ target: '/u', ...as('bob') })).status, 200)
  t.equal((await server.inject({ target: '/u', ...as('nobody') })).status, 200)
  t.strictSame(moduleLog(server, 'authz_dbd'), [
    'warn AH01644: authz_dbd: login of user bob updated 2 rows',
    'warn AH01644: authz_dbd: login of user nobody updated 0 rows',
  ])
  const database = new DatabaseSync(options.database)
  t.teardown(() => database.close())
  t.strictSame(
    database
      .prepare("SELECT DISTINCT name FROM logins WHERE state = 'in' ORDER BY name")
      .all()
      .map(({ name }) => name),
    ['alice', 'bob'],
  )
})

t.test('dbd-logout without a query, or with one that fails, denies', async (t) => {
  const fails = 'AuthzDBDQuery "INSERT INTO teams SELECT abs(-9223372036854775808), %s"'
  const server = await site(
    siteWith(
      t,
      `<Location /none>\nRequire dbd-logout\n</Location>\n<Location /fails>\n${fails}\nRequire dbd-logout\n</Location>`,
    ),
  )
  t.teardown(() => server.close())
  t.equal((await server.inject({ target: '/none', ...as('alice') })).status, 403)
  t.equal((await server.inject({ target: '/fails', ...as('alice') })).status, 403)
  t.strictSame(moduleLog(server, 'authz_dbd'), [
    'error AH01642: No query configured for logout!',
    'error AH01645: authz_dbd: query for logout failed; user alice [integer overflow]',
  ])
})

t.test('the queries need mod_dbd', async (t) => {
  t.match(
    await configError({ modules: [authzCore, authzDbd], config: `<Location />\n${TEAMS}\n</Location>` }),
    'You must load mod_dbd to enable AuthzDBD functions',
  )
})

/** A module that runs statements, as third parties write one. */
function user(found: { database?: Database }): AnyModule {
  return defineModule({
    name: 'database_user_module',
    source: 'mod_database_user.c',
    register({ hooks, functions }: ModuleHost<undefined, undefined>) {
      hooks.checkConfig.add(({ servers }) => {
        for (const server of servers)
          functions.get(prepareStatement)?.(server, 'SELECT name FROM teams WHERE team = %s', 'members')
      })
      hooks.childInit.add(({ servers: [main] }) => {
        if (main !== undefined) found.database = functions.get(databaseOf)?.(main)
      })
    },
  })
}

t.test('another module prepares statements and runs them', async (t) => {
  const found: { database?: Database } = {}
  const options = siteWith(t, 'DBDPrepareSQL "DELETE FROM teams WHERE name = %s" remove')
  const server = await site({ ...options, modules: [...MODULES, user(found)] })
  t.teardown(() => server.close())
  await server.inject({ target: '/' })
  const { database } = found
  if (database === undefined) return t.fail('mod_dbd offers no databases')
  t.equal(database.driver, 'sqlite3')
  t.equal(database.has('members'), true)
  t.equal(database.has('nosuch'), false)
  t.strictSame(await database.select('members', ['staff']), { columns: ['name'], rows: [['alice'], ["o'neil"]] })
  t.equal(await database.update('remove', ['alice']), 2)
  await t.rejects(database.update('nosuch', []), { message: 'no statement has the label nosuch' })
})
