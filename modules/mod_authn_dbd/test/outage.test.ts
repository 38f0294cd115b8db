import { basicAuth, type DatabaseServer, hasMariadb, hasPostgres, mariadbServer, postgresServer, site } from '@gatewright/testing'
import t from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzDbd from '../../mod_authz_dbd/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import dbd from '../../mod_dbd/src/index.ts'
import authnDbd from '../src/index.ts'

t.setTimeout(600_000)

/** The hash of `secret`. */
const HASH = '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ='
const MODULES = [authzCore, authzUser, authnCore, authBasic, dbd, authnDbd, authzDbd]

const KINDS: readonly (readonly [name: string, driver: string, isInstalled: boolean, start: () => Promise<DatabaseServer>])[] = [
  ['PostgreSQL', 'pgsql', hasPostgres(), postgresServer],
  ['MariaDB', 'mysql', hasMariadb(), mariadbServer],
]

for (const [name, driver, isInstalled, start] of KINDS) {
  const skip = isInstalled ? false : `${name} is not installed`
  t.test(`while ${name} is killed and restarted, nobody gets in who may not, and users get in again`, { skip }, async (t) => {
    const database = await start()
    t.teardown(() => database.close())
    database.run(
      `CREATE TABLE users(name VARCHAR(50), hash VARCHAR(100)); INSERT INTO users VALUES('alice', '${HASH}'), ('bob', '${HASH}')`,
    )
    database.run(
      "CREATE TABLE teams(name VARCHAR(50), team VARCHAR(50)); INSERT INTO teams VALUES('alice', 'staff'), ('bob', 'guests')",
    )
    const server = await site({
      modules: MODULES,
      config: `DBDriver ${driver}
DBDParams "${database.params}"
DBDMax 4
<Location "/u">
AuthType Basic
AuthName x
AuthBasicProvider dbd
AuthDBDUserPWQuery "SELECT hash FROM users WHERE name = %s"
AuthzDBDQuery "SELECT team FROM teams WHERE name = %s"
Require dbd-group staff
</Location>`,
      files: { 'docs/u': 'ok\n' },
    })
    t.teardown(() => server.close())
    const counts = { alice: new Map<number, number>(), bob: new Map<number, number>(), stranger: new Map<number, number>() }
    const ask = async (kind: keyof typeof counts, user: string, password: string): Promise<number> => {
      const { status } = await server.inject({ target: '/u', headers: basicAuth(user, password) })
      counts[kind].set(status, (counts[kind].get(status) ?? 0) + 1)
      return status
    }
    const round = (): Promise<number[]> =>
      Promise.all([
        ask('alice', 'alice', 'secret'),
        ask('bob', 'bob', 'secret'),
        ask('stranger', 'alice', 'wrong'),
        ask('stranger', "x' OR '1'='1", 'secret'),
      ])

    t.strictSame(await round(), [200, 401, 401, 401])
    const killed = database.kill()
    for (let count = 0; count < 30; count++) await round()
    await killed
    t.strictSame(await round(), [500, 500, 500, 500], 'without the database nothing is known')
    const restarted = database.restart()
    const isUp = { value: false }
    restarted.finally(() => {
      isUp.value = true
    })
    while (!isUp.value) {
      await round()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await restarted
    // A database that has answered its own client may still refuse others while it recovers.
    for (let status = 0; status !== 200; status = await ask('alice', 'alice', 'secret'))
      await new Promise((resolve) => setTimeout(resolve, 20))
    t.strictSame(await round(), [200, 401, 401, 401])
    t.strictSame([...counts.alice.keys()].sort(), [200, 500])
    t.strictSame([...counts.bob.keys()].sort(), [401, 500], 'no wrong grant')
    t.strictSame([...counts.stranger.keys()].sort(), [401, 500], 'no wrong grant')
  })
}
