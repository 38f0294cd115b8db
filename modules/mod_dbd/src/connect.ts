import type { DatabaseConnection, DatabaseDriver, DatabaseStatement, ModuleLog, OsError, Server } from '@gatewright/api'
import type { Breaker } from '@gatewright/store-client'
import { within } from './pool/within.ts'

/** The status that httpd logs for every failure of a driver. */
export const GENERAL_ERROR: OsError = { code: 20014, text: 'Internal error (specific information not available)' }

/** How the connections of a group of servers are made. */
export interface ConnectionRecipe {
  /** The name of the driver. */
  readonly name: string
  /** Undefined without DBDriver. */
  readonly driver: DatabaseDriver | undefined
  /** DBDParams, in Unicode. */
  readonly params: string
  readonly init: readonly string[]
  readonly statements: readonly DatabaseStatement[]
  /** Milliseconds. */
  readonly timeout: number
  /** Leaves the database alone while it does not answer. */
  readonly breaker: Breaker
}

/** A connection could not be made ready. The reason was logged. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected'
  /** The number of the message that was logged. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Opens a connection, runs the statements of DBDInitSQL and prepares all others. Failures are logged in httpd's words. */
export async function connect(recipe: ConnectionRecipe, log: ModuleLog, server: Server): Promise<DatabaseConnection> {
  const fail = (code: string, text: string): never => {
    log.write(server, 'error', code, text, GENERAL_ERROR)
    throw new NotConnected(code, text)
  }
  const { name, driver, params, timeout, breaker } = recipe
  if (driver === undefined) return fail('AH00626', `can't find driver for ${name}`)
  let connection: DatabaseConnection
  try {
    connection = await breaker.attempt(() =>
      within(
        // The limit of the driver comes second: it would not say which failure is one of time.
        driver.connect(params, timeout + 1_000),
        timeout,
        () => undefined,
        (late) => late.close(),
      ),
    )
  } catch (error) {
    return fail('AH00629', `Can't connect to ${name}: ${textOf(error)}`)
  }
  try {
    await initialise(connection, recipe, log, server)
    for (const statement of recipe.statements) await connection.prepare(statement)
    return connection
  } catch (error) {
    connection.close()
    return fail('AH00632', `failed to prepare SQL statements: ${textOf(error)}`)
  }
}

async function initialise(
  connection: DatabaseConnection,
  { driver, init }: ConnectionRecipe,
  log: ModuleLog,
  server: Server,
): Promise<void> {
  for (const sql of init) {
    try {
      await connection.execute(sql)
    } catch (error) {
      if (driver?.survivesInitErrors !== true) throw error
      log.write(server, 'warn', '', `DBDInitSQL failed: ${textOf(error)}`)
    }
  }
}

/** The text of an error, as byte string for the log. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return Buffer.from(text, 'utf8').toString('latin1')
}
