/**
 * A value for a placeholder of a statement. A text is a byte string, like all text of requests; a number is an integer.
 * @since 2.4.6
 */
export type DatabaseValue = string | number | bigint | null

/**
 * The rows that a statement selected. Texts are byte strings, in the database's own notation for other types; NULL is null.
 * @since 2.4.6
 */
export interface DatabaseRows {
  /** Names of the columns, in their order. */
  readonly columns: readonly string[]
  /** The rows, each with one value for each column. */
  readonly rows: readonly (readonly (string | null)[])[]
}

/**
 * The databases of a server, as modules use them: httpd's `ap_dbd_acquire` with what it leads to. Each statement runs on a
 * connection of the pool, which no other request uses meanwhile, and is ended after the Timeout of the server.
 * @since 2.4.6
 */
export interface Database {
  /** The name of the driver: `sqlite3`. */
  readonly driver: string
  /** Whether a statement has this label. */
  has(label: string): boolean
  /**
   * Runs a statement and returns all rows that it selected.
   * @param label under which the statement was prepared
   * @param values one for each placeholder; missing ones are NULL
   * @param most rows after that many are left out; no limit if absent
   * @returns rejects with the database's own error, or with one that {@link isDatabaseUnavailable} identifies if no
   *   connection could be had, which was logged
   */
  select(label: string, values: readonly DatabaseValue[], most?: number): Promise<DatabaseRows>
  /**
   * Runs a statement that changes rows.
   * @returns the number of changed rows; rejects like `select`
   */
  update(label: string, values: readonly DatabaseValue[]): Promise<number>
}

/**
 * No connection to the database can be had: it cannot be reached, refuses the account or a statement of the
 * configuration, or all connections are in use for too long. The reason was logged.
 * @since 2.4.6
 */
export class DatabaseUnavailable extends Error {
  /** Identifies the class. */
  override readonly name = 'DatabaseUnavailable'
}

/**
 * Distinguishes failures to get a connection from those of a statement.
 * @since 2.4.6
 */
export function isDatabaseUnavailable(error: unknown): error is DatabaseUnavailable {
  return error instanceof Error && error.name === 'DatabaseUnavailable'
}

/**
 * The type of a placeholder: `%s` is text, `%d`, `%lld` and the like are integers, `%f` and `%lf` numbers.
 * @since 2.4.6
 */
export type DatabaseType = 'text' | 'integer' | 'number'

/**
 * A statement of the configuration, without httpd's placeholders. A driver joins the texts with placeholders of its own
 * and binds the values: it never puts a value into the text.
 * @since 2.4.6
 */
export interface DatabaseStatement {
  /** The label, unique for the connection. */
  readonly label: string
  /** As written in the configuration, for messages. */
  readonly source: string
  /** The texts between the placeholders, one more than there are of these. */
  readonly texts: readonly string[]
  /** The types of the placeholders. */
  readonly types: readonly DatabaseType[]
}

/**
 * A value that a driver binds: a text, bytes that are no text in UTF-8, a number, or NULL.
 * @since 2.4.6
 */
export type BoundValue = string | Uint8Array | number | bigint | null

/**
 * Rows as a driver returns them: a text, or bytes in place of one.
 * @since 2.4.6
 */
export interface DriverRows {
  /** Names of the columns, in their order. */
  readonly columns: readonly string[]
  /** The rows, each with one value for each column. */
  readonly rows: readonly (readonly (string | Uint8Array | null)[])[]
}

/**
 * A connection that a driver has opened. The pool calls one function at a time, and closes the connection instead if a
 * call takes too long. Rejections are errors whose message is the database's own.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface DatabaseConnection {
  /** Prepares a statement; rejects if the database does not accept it. Called once for each, before it is used. */
  prepare(statement: DatabaseStatement): Promise<void>
  /** Runs a prepared statement. `values` has one value for each placeholder. */
  select(statement: DatabaseStatement, values: readonly BoundValue[], most: number): Promise<DriverRows>
  /** Runs a prepared statement and returns the number of changed rows. */
  update(statement: DatabaseStatement, values: readonly BoundValue[]): Promise<number>
  /** Runs one statement without placeholders. */
  execute(sql: string): Promise<void>
  /** True from the moment when the connection cannot be used any more, also while nothing runs on it. */
  readonly isLost: boolean
  /** Ends the connection at once, also while something runs on it. Called once; must not throw. */
  close(): void
}

/**
 * A kind of database. Group `databaseDrivers`, by the name in DBDriver.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface DatabaseDriver {
  /**
   * Whether a connection is usable although a statement of DBDInitSQL failed, as httpd's driver for SQLite has it. The
   * failure is logged. Otherwise the connection counts as failed.
   */
  readonly survivesInitErrors?: boolean
  /**
   * Opens a connection; rejects with an error whose message is the database's own.
   * @param params DBDParams as written; '' without
   * @param timeout milliseconds after which nobody waits for the connection: the driver gives it up then
   */
  connect(params: string, timeout: number): Promise<DatabaseConnection>
}
