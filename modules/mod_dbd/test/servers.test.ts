import type { DatabaseConnection, DatabaseDriver } from '@gatewright/api'
import { type DatabaseServer, hasMariadb, hasPostgres, mariadbServer, postgresServer } from '@gatewright/testing'
import t from 'tap'
import { mysqlDriver } from '../src/drivers/mysql.ts'
import { pgsqlDriver } from '../src/drivers/pgsql.ts'
import { readStatement } from '../src/placeholders.ts'

t.setTimeout(600_000)

/** The most that a step of these tests takes (ms); only a failure exceeds it. */
const LIMIT = 60_000

interface Kind {
  readonly name: string
  readonly driver: DatabaseDriver
  readonly start: () => Promise<DatabaseServer>
  readonly isInstalled: boolean
  /** What the database says of an absent table, and of a broken statement. */
  readonly absent: RegExp
  readonly broken: RegExp
  /** A query that fails only when it runs. */
  readonly failing: string
}

const KINDS: readonly Kind[] = [
  {
    name: 'PostgreSQL',
    driver: pgsqlDriver,
    start: postgresServer,
    isInstalled: hasPostgres(),
    absent: /relation "absent" does not exist/,
    broken: /syntax error/,
    failing: 'SELECT 1 / (length(%s) - length(%s))',
  },
  {
    name: 'MariaDB',
    driver: mysqlDriver,
    start: mariadbServer,
    isInstalled: hasMariadb(),
    absent: /Table 'site\.absent' doesn't exist/,
    broken: /error in your SQL syntax/,
    failing: 'SELECT (SELECT a FROM x WHERE a <> %s) FROM x WHERE a <> %s',
  },
]

for (const kind of KINDS) {
  const skip = kind.isInstalled ? false : `${kind.name} is not installed`
  t.test(`${kind.name} answers by the same interface as SQLite`, { skip }, async (t) => {
    const server = await kind.start()
    t.teardown(() => server.close())
    server.run(
      "CREATE TABLE x(a VARCHAR(100), b INTEGER, c VARCHAR(100)); INSERT INTO x VALUES('o''neil', 1, NULL), ('y', 2, ''), ('y', 3, 'z'), ('j\u00fcrgen', 4, '\u20ac')",
    )
    const find = readStatement('find', 'SELECT a, b, c FROM x WHERE a = %s ORDER BY b')
    const byNumber = readStatement('number', 'SELECT a FROM x WHERE b = %d')
    const change = readStatement('change', 'UPDATE x SET b = b + %d WHERE a = %s')
    const failing = readStatement('failing', kind.failing)
    const connection = await kind.driver.connect(server.params, LIMIT)
    t.teardown(() => connection.close())
    for (const statement of [find, byNumber, change, failing]) await connection.prepare(statement)

    const rows = async (value: string): Promise<readonly unknown[]> => (await connection.select(find, [value], 10)).rows
    t.strictSame(await connection.select(find, ["o'neil"], 10), { columns: ['a', 'b', 'c'], rows: [["o'neil", '1', null]] })
    t.strictSame(await rows('y'), [
      ['y', '2', ''],
      ['y', '3', 'z'],
    ])
    t.strictSame(await rows('j\u00fcrgen'), [['j\u00fcrgen', '4', '\u20ac']])
    for (const name of ["x' OR '1'='1", 'y" OR 1=1 --', '$1', '?', '%', '\\', "y'; DROP TABLE x; --"])
      t.strictSame(await rows(name), [], name)
    t.strictSame((await connection.select(find, ['y'], 1)).rows.length, 1)
    t.strictSame((await connection.select(find, [null], 10)).rows, [])
    t.strictSame((await connection.select(byNumber, [1n], 10)).rows, [["o'neil"]])
    t.equal(await connection.update(change, [0n, 'nobody']), 0)
    t.equal(await connection.update(change, [5n, 'y']), 2)
    await t.rejects(connection.select(failing, ['zz', 'zz'], 10))
    t.equal(connection.isLost, false, 'a query that failed leaves the connection usable')
    t.strictSame((await rows('y')).length, 2)
    await t.rejects(connection.prepare(readStatement('absent', 'SELECT a FROM absent WHERE a = %s')), { message: kind.absent })
    await t.rejects(connection.prepare(readStatement('broken', 'SELEC %s')), { message: kind.broken })
    await t.rejects(connection.execute('nonsense'), { message: kind.broken })
    const { params } = server
    await t.rejects(kind.driver.connect(params.replace('user=www', 'user=stranger'), LIMIT), { message: /stranger/ })
    await t.rejects(kind.driver.connect(params.replace('dbname=site', 'dbname=elsewhere'), LIMIT), { message: /elsewhere/ })
    await connection.execute("INSERT INTO x VALUES('init', 9, NULL)")
    t.strictSame(await rows('init'), [['init', '9', null]])
  })

  t.test(
    `a connection to ${kind.name} notices that the server was killed, and another can be made when it is back`,
    { skip },
    async (t) => {
      const server = await kind.start()
      t.teardown(() => server.close())
      const one = readStatement('one', 'SELECT 1')
      const open = async (): Promise<DatabaseConnection> => {
        const connection = await kind.driver.connect(server.params, LIMIT)
        t.teardown(() => connection.close())
        await connection.prepare(one)
        return connection
      }
      const connection = await open()
      const idle = await open()
      await server.kill()
      await t.rejects(connection.select(one, [], 1))
      t.equal(connection.isLost, true)
      await until(() => idle.isLost)
      await t.rejects(kind.driver.connect(server.params, LIMIT))
      await server.restart()
      t.strictSame((await (await open()).select(one, [], 1)).rows, [['1']])
    },
  )
}

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + LIMIT
  while (!holds()) {
    if (performance.now() > end) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
