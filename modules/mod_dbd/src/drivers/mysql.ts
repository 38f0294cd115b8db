import type { BoundValue, DatabaseConnection, DatabaseDriver, DatabaseStatement, DriverRows } from '@gatewright/api'
import type { Connection, ConnectionOptions, PreparedStatementInfo } from 'mysql2/promise'
import { type MysqlParams, readMysqlParams } from './mysql-params.ts'

/** The driver `mysql`: MySQL and MariaDB, with the settings of APR's driver. */
export const mysqlDriver: DatabaseDriver = {
  async connect(params, timeout) {
    const { createConnection } = await import('mysql2/promise')
    return new MysqlConnection(await createConnection(options(readMysqlParams(params), timeout)))
  },
}

function options({ host, user, pass, dbname, port, sock, flags }: MysqlParams, timeout: number): ConnectionOptions {
  return {
    // The client library uses the socket for a host that is called localhost.
    ...(sock !== undefined && (host === undefined || host === 'localhost')
      ? { socketPath: sock }
      : { host: host ?? 'localhost', port: Number(port ?? 3306) }),
    user,
    password: pass,
    database: dbname,
    // A server cannot ask for files of this machine.
    flags: [flags?.includes('CLIENT_FOUND_ROWS') === true ? 'FOUND_ROWS' : '-FOUND_ROWS', '-LOCAL_FILES'],
    connectTimeout: timeout,
    enableKeepAlive: true,
    charset: 'utf8mb4',
    // Numbers and times stay in the database's own notation.
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    rowsAsArray: true,
  }
}

class MysqlConnection implements DatabaseConnection {
  readonly #connection: Connection
  readonly #prepared = new Map<string, PreparedStatementInfo>()
  isLost = false

  constructor(connection: Connection) {
    this.#connection = connection
    connection.on('error', () => {
      this.isLost = true
    })
    connection.on('end', () => {
      this.isLost = true
    })
  }

  async prepare({ label, texts }: DatabaseStatement): Promise<void> {
    this.#prepared.set(label, await this.#guard(this.#connection.prepare(texts.join('?'))))
  }

  async select(statement: DatabaseStatement, values: readonly BoundValue[], most: number): Promise<DriverRows> {
    const [rows, fields] = await this.#run(statement, values)
    if (!Array.isArray(rows)) return { columns: [], rows: [] }
    const texts = rows.slice(0, most).map((row) => (Array.isArray(row) ? row.map(textOf) : []))
    return { columns: fields.map(({ name }) => name), rows: texts }
  }

  async update(statement: DatabaseStatement, values: readonly BoundValue[]): Promise<number> {
    const [result] = await this.#run(statement, values)
    return 'affectedRows' in result && typeof result.affectedRows === 'number' ? result.affectedRows : 0
  }

  async execute(sql: string): Promise<void> {
    await this.#guard(this.#connection.query(sql))
  }

  close(): void {
    this.isLost = true
    this.#connection.destroy()
  }

  #run({ label }: DatabaseStatement, values: readonly BoundValue[]): ReturnType<PreparedStatementInfo['execute']> {
    const prepared = this.#prepared.get(label)
    if (prepared === undefined) return Promise.reject(new Error(`no statement ${label}`))
    return this.#guard(prepared.execute(values.map((value) => (typeof value === 'bigint' ? value.toString() : value))))
  }

  /** Errors that end a connection are marked by the client, even before it reports the end. */
  async #guard<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (error instanceof Error && 'fatal' in error && error.fatal === true) this.isLost = true
      throw error
    }
  }
}

function textOf(value: unknown): string | Uint8Array | null {
  if (typeof value === 'string' || value instanceof Uint8Array) return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value === null || value === undefined) return null
  throw new Error('a value of an unknown type')
}
