import {
  type Database,
  type DatabaseConnection,
  type DatabaseRows,
  type DatabaseStatement,
  DatabaseUnavailable,
  type DatabaseValue,
  type ModuleLog,
  type Server,
} from '@gatewright/api'
import { systemError } from '@gatewright/api/text'
import { type ConnectionRecipe, connect, GENERAL_ERROR, NotConnected, textOf } from './connect.ts'
import { areSuitable, Pool, type PoolLimits } from './pool/pool.ts'
import { bindValues, byteRows } from './values.ts'

const EINVAL = systemError(22)

/** The databases of one or several servers with the same settings. */
export class ServerDatabase implements Database {
  readonly driver: string
  readonly #recipe: ConnectionRecipe
  readonly #limits: PoolLimits
  readonly #persists: boolean
  readonly #log: ModuleLog
  readonly #server: Server
  readonly #statements: ReadonlyMap<string, DatabaseStatement>
  /** Null until the first connections were opened. */
  #pool: Pool<DatabaseConnection> | null = null
  #filling: Promise<Pool<DatabaseConnection>> | null = null
  #closed = false

  /** @param server the first of the servers, which log lines are about */
  constructor(recipe: ConnectionRecipe, limits: PoolLimits, persists: boolean, log: ModuleLog, server: Server) {
    this.driver = recipe.name
    this.#recipe = recipe
    this.#limits = limits
    this.#persists = persists
    this.#log = log
    this.#server = server
    this.#statements = new Map(recipe.statements.map((statement) => [statement.label, statement]))
  }

  has(label: string): boolean {
    return this.#statements.has(label)
  }

  async select(label: string, values: readonly DatabaseValue[], most: number = Number.POSITIVE_INFINITY): Promise<DatabaseRows> {
    const statement = this.#statement(label)
    const bound = bindValues(statement, values)
    return byteRows(await this.#use((connection) => connection.select(statement, bound, most), 'repeatable'))
  }

  async update(label: string, values: readonly DatabaseValue[]): Promise<number> {
    const statement = this.#statement(label)
    const bound = bindValues(statement, values)
    return this.#use((connection) => connection.update(statement, bound), 'once')
  }

  /** Opens the first connections when a process begins to serve. Failures are logged; the next request tries again. */
  async start(): Promise<void> {
    if (!this.#persists) return
    try {
      await this.#ready()
    } catch (error) {
      this.#log.write(this.#server, 'crit', 'AH00636', 'child init failed!', error === UNSUITABLE ? EINVAL : GENERAL_ERROR)
    }
  }

  close(): void {
    this.#closed = true
    this.#pool?.close()
  }

  #statement(label: string): DatabaseStatement {
    const statement = this.#statements.get(label)
    if (statement === undefined) throw new Error(`no statement has the label ${label}`)
    return statement
  }

  async #use<T>(operation: (connection: DatabaseConnection) => Promise<T>, again: 'repeatable' | 'once'): Promise<T> {
    if (!this.#persists) return this.#useOnce(operation)
    const pool = await this.#ready().catch(unavailable)
    // What fails before the operation runs is a failure to get a connection.
    let isRunning = false
    const run = (connection: DatabaseConnection): Promise<T> => {
      isRunning = true
      return operation(connection)
    }
    try {
      return await pool.use(run, again)
    } catch (error) {
      if (isRunning && !(error instanceof NotConnected)) throw error
      this.#log.write(this.#server, 'error', 'AH02655', 'Failed to acquire DBD connection from pool!', GENERAL_ERROR)
      return unavailable(error)
    }
  }

  /** DBDPersist Off: a connection for one statement. */
  async #useOnce<T>(operation: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const pool = new Pool({ ...this.#limits, min: 0, keep: 0, max: 1 }, this.#open, () => undefined)
    try {
      return await pool.use(operation, 'once')
    } catch (error) {
      return error instanceof NotConnected ? unavailable(error) : Promise.reject(error)
    } finally {
      pool.close()
    }
  }

  /** The pool, whose first connections are open. Requests that come while they are opened wait for the same attempt. */
  #ready(): Promise<Pool<DatabaseConnection>> {
    if (this.#pool !== null) return Promise.resolve(this.#pool)
    // httpd tries for each request, one after another: the log shows a failure for each of them here, too.
    if (this.#filling !== null) return this.#filling.catch((error: unknown) => this.#sharedFailure(error))
    this.#filling = this.#fill().finally(() => {
      this.#filling = null
    })
    return this.#filling
  }

  async #fill(): Promise<Pool<DatabaseConnection>> {
    const pool = new Pool(this.#limits, this.#open, this.#lost)
    try {
      if (!areSuitable(this.#limits)) throw UNSUITABLE
      await pool.fill()
    } catch (error) {
      pool.close()
      this.#notInitialised(error)
      throw error
    }
    if (this.#closed) pool.close()
    this.#pool = pool
    return pool
  }

  /** Logs for one more request why an attempt for which it waited has failed. */
  #sharedFailure(error: unknown): never {
    if (error instanceof NotConnected) this.#log.write(this.#server, 'error', error.code, error.message, GENERAL_ERROR)
    this.#notInitialised(error)
    throw error
  }

  #notInitialised(error: unknown): void {
    const cause = error === UNSUITABLE ? EINVAL : GENERAL_ERROR
    this.#log.write(this.#server, 'error', 'AH00633', 'failed to initialise', cause)
    if (error === UNSUITABLE) this.#log.write(this.#server, 'error', '', UNSUITABLE.message)
  }

  readonly #open = (): Promise<DatabaseConnection> => connect(this.#recipe, this.#log, this.#server)

  readonly #lost = (): void => {
    this.#log.write(this.#server, 'error', 'AH00639', `DBD [${this.driver}] Error: the connection was lost`, GENERAL_ERROR)
  }
}

const UNSUITABLE: Error = new Error('DBDMin must not exceed DBDKeep, nor DBDKeep DBDMax, and DBDMax must be 1 at least')

function unavailable(error: unknown): never {
  throw new DatabaseUnavailable(textOf(error))
}
