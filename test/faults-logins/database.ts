import { basicAuth, type DatabaseServer, hasMariadb, hasPostgres, mariadbServer, postgresServer } from '@gatewright/testing'
import type { Fault } from './fault.ts'
import { hashOf, newcomers, section, serverWith } from './setting.ts'
import { sameLogin } from './visitors.ts'

const NEWCOMERS = 4_000
/** Rows of one statement. */
const BATCH = 1_000
const PASSWORD = 'right'
const PATH = '/dbd'

/** A database is killed, and started again. mod_authn_socache remembers who has logged in. */
function databaseRestarted(
  name: string,
  driver: string,
  missing: readonly string[],
  start: () => Promise<DatabaseServer>,
): Fault {
  return {
    name: `${name} is restarted`,
    away: 2_000,
    missing,
    async arrange(owner) {
      const database = await start()
      owner.teardown(() => database.close())
      const people = ['alice', 'bob', ...Array.from({ length: NEWCOMERS }, (_, index) => `u${index}`)]
      const rows = people.map((user) => `('${user}', '${hashOf(PASSWORD)}')`)
      database.run('CREATE TABLE users(name VARCHAR(40) PRIMARY KEY, hash VARCHAR(60))')
      // A command line has a limit.
      for (let from = 0; from < rows.length; from += BATCH)
        database.run(`INSERT INTO users VALUES ${rows.slice(from, from + BATCH).join(', ')}`)
      const server = await serverWith(owner, {
        modules: ['dbd', 'authn_dbd', 'socache_shmcb', 'authn_socache'],
        paths: [PATH],
        lines: [
          `DBDriver ${driver}`,
          `DBDParams "${database.params}"`,
          'DBDMax 4',
          'AuthnCacheSOCache shmcb:logs/cache(4194304)',
          ...section(
            PATH,
            'AuthBasicProvider socache dbd',
            'AuthnCacheProvideFor dbd',
            'AuthnCacheTimeout 3600',
            'AuthDBDUserPWQuery "SELECT hash FROM users WHERE name = %s"',
          ),
        ],
      })
      const newcomer = newcomers(NEWCOMERS)
      return {
        servers: [server],
        visitors: [
          sameLogin('remembered user', { path: PATH, user: 'alice', password: PASSWORD }, { usual: [200], whileAway: [] }),
          sameLogin(
            'remembered user, wrong password',
            { path: PATH, user: 'alice', password: 'w' },
            { usual: [401], whileAway: [] },
          ),
          sameLogin('other user, wrong password', { path: PATH, user: 'bob', password: 'w' }, { usual: [401], whileAway: [500] }),
          sameLogin('unknown user', { path: PATH, user: "' OR '1'='1", password: PASSWORD }, { usual: [401], whileAway: [500] }),
          {
            name: 'first login',
            usual: [200],
            whileAway: [500],
            next: () => ({ path: PATH, headers: basicAuth(newcomer(), PASSWORD) }),
          },
        ],
        async prepare() {
          await server.get(PATH, { headers: basicAuth('alice', PASSWORD) })
        },
        end: () => database.kill(),
        restart: () => database.restart(),
        isUsed: async () => (await server.get(PATH, { headers: basicAuth(newcomer(), PASSWORD) })).status === 200,
      }
    },
  }
}

export const databasesRestarted: readonly Fault[] = [
  databaseRestarted('PostgreSQL', 'pgsql', hasPostgres() ? [] : ['postgresql'], postgresServer),
  databaseRestarted('MariaDB', 'mysql', hasMariadb() ? [] : ['mariadb-server'], mariadbServer),
]
