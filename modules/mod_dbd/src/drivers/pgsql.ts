import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type { BoundValue, DatabaseConnection, DatabaseDriver, DatabaseStatement, DriverRows } from '@gatewright/api'
import type { Client, ClientConfig, QueryArrayResult, QueryConfig } from 'pg'
import { type Conninfo, readConninfo } from './conninfo.ts'

/** Where Debian's PostgreSQL has its socket; libpq's default. */
const SOCKET_FOLDER = '/var/run/postgresql'

/** The driver `pgsql`: PostgreSQL, with the settings of libpq. */
export const pgsqlDriver: DatabaseDriver = {
  async connect(params, timeout) {
    const settings = readConninfo(params)
    const { default: pg } = await import('pg')
    const modes = tlsModes(settings.get('sslmode') ?? 'prefer')
    for (const [index, mode] of modes.entries()) {
      const connection = new PgsqlConnection(new pg.Client(clientConfig(settings, mode, timeout)))
      try {
        await connection.open()
        return connection
      } catch (error) {
        connection.close()
        if (index === modes.length - 1) throw readable(error)
      }
    }
    throw new Error('no way to connect')
  },
}

type TlsMode = 'plain' | 'encrypted' | 'verified' | 'named'

/** The ways to connect that a mode allows, in order. `prefer`, the default of libpq, falls back to an open connection. */
function tlsModes(sslmode: string): readonly TlsMode[] {
  switch (sslmode) {
    case 'disable':
      return ['plain']
    case 'allow':
      return ['plain', 'encrypted']
    case 'prefer':
      return ['encrypted', 'plain']
    case 'require':
      return ['encrypted']
    case 'verify-ca':
      return ['verified']
    case 'verify-full':
      return ['named']
    default:
      throw new Error(`invalid sslmode value: "${sslmode}"`)
  }
}

function clientConfig(settings: Conninfo, mode: TlsMode, timeout: number): ClientConfig {
  const host = settings.get('hostaddr') ?? settings.get('host') ?? process.env.PGHOST ?? SOCKET_FOLDER
  const seconds = Number(settings.get('connect_timeout') ?? 0)
  return {
    host,
    port: Number(settings.get('port') ?? process.env.PGPORT ?? 5432),
    user: settings.get('user'),
    password: settings.get('password'),
    database: settings.get('dbname') ?? settings.get('user'),
    options: settings.get('options'),
    application_name: settings.get('application_name'),
    connectionTimeoutMillis: seconds > 0 ? Math.min(seconds * 1000, timeout) : timeout,
    keepAlive: true,
    // Values stay in the database's own notation, as libpq returns them.
    types: { getTypeParser: () => (text: string) => text },
    ssl: mode === 'plain' || host.startsWith('/') ? false : tlsOptions(settings, mode),
  }
}

function tlsOptions(settings: Conninfo, mode: TlsMode): ConnectionOptions {
  const read = (name: string): Buffer | undefined => {
    const path = settings.get(name)
    return path === undefined ? undefined : readFileSync(path)
  }
  return {
    ca: read('sslrootcert'),
    cert: read('sslcert'),
    key: read('sslkey'),
    rejectUnauthorized: mode === 'verified' || mode === 'named',
    servername: settings.get('host'),
    // verify-ca trusts any name that the authority has certified.
    ...(mode === 'verified' && { checkServerIdentity: () => undefined }),
  }
}

/** Connections to several addresses of a name fail with a list of errors, whose own message is empty. */
function readable(error: unknown): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0]
  return error instanceof Error ? error : new Error(String(error))
}

class PgsqlConnection implements DatabaseConnection {
  readonly #client: Client
  isLost = false

  constructor(client: Client) {
    this.#client = client
    client.on('error', () => {
      this.isLost = true
    })
    client.on('end', () => {
      this.isLost = true
    })
  }

  async open(): Promise<void> {
    await this.#client.connect()
  }

  /** The statement is only checked here: the client prepares it on its first use, under the same name. */
  async prepare({ label, texts }: DatabaseStatement): Promise<void> {
    const name = `"check ${label.replaceAll('"', '""')}"`
    // The extended protocol refuses several statements in one text.
    const check: QueryConfig & { readonly queryMode: 'extended' } = {
      text: `PREPARE ${name} AS ${withNumbers(texts)}`,
      queryMode: 'extended',
    }
    await this.#client.query(check)
    await this.#client.query(`DEALLOCATE ${name}`)
  }

  async select(statement: DatabaseStatement, values: readonly BoundValue[], most: number): Promise<DriverRows> {
    const { fields, rows } = await this.#run(statement, values)
    return { columns: fields.map(({ name }) => name), rows: rows.slice(0, most).map((row) => row.map(textOf)) }
  }

  async update(statement: DatabaseStatement, values: readonly BoundValue[]): Promise<number> {
    return (await this.#run(statement, values)).rowCount ?? 0
  }

  async execute(sql: string): Promise<void> {
    await this.#client.query(sql)
  }

  close(): void {
    this.isLost = true
    // `end` waits for what is running: a connection that does not answer would stay.
    this.#client.end().catch(() => undefined)
    this.#client.connection.stream.destroy()
  }

  #run({ label, texts }: DatabaseStatement, values: readonly BoundValue[]): Promise<QueryArrayResult<unknown[]>> {
    if (values.some((value) => value instanceof Uint8Array)) {
      return Promise.reject(new Error('invalid byte sequence for encoding "UTF8"'))
    }
    return this.#client.query<unknown[]>({ name: label, text: withNumbers(texts), values: [...values], rowMode: 'array' })
  }
}

/** `a = $1 AND b = $2`. */
function withNumbers(texts: readonly string[]): string {
  return texts.map((text, index) => (index === 0 ? text : `$${index}${text}`)).join('')
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
