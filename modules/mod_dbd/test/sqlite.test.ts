import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DatabaseConnection } from '@gatewright/api'
import t from 'tap'
import { sqliteDriver } from '../src/drivers/sqlite.ts'
import { readStatement } from '../src/placeholders.ts'

/** A folder of the test, with a database. */
function database(t: { teardown(act: () => void): void }, sql: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'gw-sqlite-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'users.db')
  const made = new DatabaseSync(path)
  made.exec(sql)
  made.close()
  return path
}

/** A connection with statements by label. */
async function connected(
  t: { teardown(act: () => void): void },
  path: string,
  statements: Readonly<Record<string, string>>,
): Promise<DatabaseConnection> {
  const connection = await sqliteDriver.connect(path, 60_000)
  t.teardown(() => connection.close())
  for (const [label, sql] of Object.entries(statements)) await connection.prepare(readStatement(label, sql))
  return connection
}

t.test('values keep the text that SQLite gives them', async (t) => {
  const path = database(t, 'CREATE TABLE x(a)')
  const sql = "SELECT 1, 1.0, 1.0/3, NULL, x'00ff', '\u00fc', 9223372036854775807, 'a' AS \"n\u00e4me\""
  const connection = await connected(t, path, { all: sql })
  const { rows, columns } = await connection.select(readStatement('all', sql), [], 10)
  const [row = []] = rows
  t.strictSame(row.slice(0, 4), ['1', '1.0', '0.33333333333333332', null])
  t.strictSame(Buffer.from(row[4] ?? ''), Buffer.from([0, 255]))
  t.strictSame(row.slice(5), ['\u00fc', '9223372036854775807', 'a'])
  t.equal(columns[7], 'n\u00e4me')
})

t.test('values are bound, missing ones are NULL, and changes are counted', async (t) => {
  const path = database(t, "CREATE TABLE x(a, b); INSERT INTO x VALUES('o''neil', 1), ('y', 2), ('y', 3)")
  const find = readStatement('find', 'SELECT b FROM x WHERE a = %s')
  const change = readStatement('change', 'UPDATE x SET b = %d WHERE a = %s')
  const connection = await connected(t, path, { find: find.source, change: change.source })
  t.strictSame((await connection.select(find, ["o'neil"], 10)).rows, [['1']])
  t.strictSame((await connection.select(find, ["x' OR '1'='1"], 10)).rows, [])
  t.strictSame((await connection.select(find, [null], 10)).rows, [])
  t.strictSame((await connection.select(find, ['y'], 1)).rows, [['2']], 'no more rows than asked for')
  t.equal(await connection.update(change, [5n, 'y']), 2)
  t.equal(await connection.update(change, [5n, 'nobody']), 0)
})

t.test('errors are those of SQLite, and the connection stays usable', async (t) => {
  const path = database(t, 'CREATE TABLE x(a UNIQUE)')
  await t.rejects(sqliteDriver.connect(join(path, 'absent.db'), 1000), { message: 'unable to open database file' })
  const insert = readStatement('insert', 'INSERT INTO x VALUES(%s)')
  const connection = await connected(t, path, { insert: insert.source })
  await t.rejects(connection.prepare(readStatement('bad', 'SELECT nosuch FROM x')), { message: 'no such column: nosuch' })
  t.equal(await connection.update(insert, ['1']), 1)
  await t.rejects(connection.update(insert, ['1']), { message: 'UNIQUE constraint failed: x.a' })
  await t.rejects(connection.execute('nonsense'), { message: 'near "nonsense": syntax error' })
  t.equal(await connection.update(insert, ['2']), 1)
  t.equal(connection.isLost, false)
})

t.test('a file that is no database is reported when it is opened', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-sqlite-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  await t.rejects(sqliteDriver.connect(folder, 1000), { message: 'unable to open database file' })
  await t.rejects(sqliteDriver.connect(import.meta.filename, 1000), { message: 'file is not a database' })
})

t.test('a connection that is closed while it works ends its thread and rejects the question', async (t) => {
  const path = database(t, 'CREATE TABLE x(a)')
  const endless = readStatement(
    'endless',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) SELECT count(*) FROM n',
  )
  const connection = await connected(t, path, { endless: endless.source })
  const answer = connection.select(endless, [], 1)
  connection.close()
  await t.rejects(answer, { message: 'the connection is closed' })
  t.equal(connection.isLost, true)
  await t.rejects(connection.execute('SELECT 1'), { message: 'the connection is closed' })
})
