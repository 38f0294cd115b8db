import { type Database, type DatabaseValue, isDatabaseUnavailable, type ModuleHost, type Request } from '@gatewright/api'
import { databaseOf } from '@gatewright/api/peers'
import { askShown, rowsText, statementQuestion } from '@gatewright/api/tracing'
import { LABELS, type SessionDbdConfig, type Task } from './config.ts'

/** A statement of sessions failed. The reason was logged. */
export class SessionTableError extends Error {
  override readonly name = 'SessionTableError'
}

/** Keeps sessions with the statements of the configuration. Every method throws a SessionTableError for a failure. */
export class SessionTable {
  readonly #host: ModuleHost<SessionDbdConfig, undefined>

  constructor(host: ModuleHost<SessionDbdConfig, undefined>) {
    this.#host = host
  }

  /** What the table has under a key and has not ended: the first column that is not NULL, or null. */
  async select(request: Request, key: string): Promise<string | null> {
    const failure = (label: string, reason: string): string =>
      `query execution error saving session '${key}' in database using query '${label}': ${reason}`
    const now = String(BigInt(Date.now()) * 1000n)
    const found = await this.#run(request, 'select', 'AH01854', failure, async (database, label) =>
      // The key is a secret of the client.
      askShown(request, {
        ...statementQuestion(database.driver, `the statement ${label}, for the key of the client`, []),
        ask: () => database.select(label, [key, now]),
        shown: rowsText,
      }),
    )
    if (found === null) return null
    return found.rows.map(([session]) => session).find((session) => typeof session === 'string') ?? null
  }

  /**
   * Replaces the session of a key, or adds one.
   * @param oldKey null for a new session
   * @param encoded null for an empty one
   * @param expiry microseconds since 1970; 0 for never
   */
  async save(request: Request, oldKey: string | null, newKey: string, encoded: string | null, expiry: bigint): Promise<void> {
    // An explanation must not change the database.
    if (request.tracer !== null) return
    const values: readonly DatabaseValue[] = [encoded, String(expiry), newKey]
    const notUpdated = (label: string, reason: string): string =>
      `query execution error updating session '${oldKey ?? '(null)'}' using database query '${label}': ${newKey}/${reason}`
    const updated = await this.#run(request, 'update', 'AH01857', notUpdated, (database, label) =>
      database.update(label, [...values, oldKey]),
    )
    if (updated > 0) return
    const notInserted = (label: string, reason: string): string =>
      `query execution error inserting session '${newKey}' in database with '${label}': ${reason}`
    const inserted = await this.#run(request, 'insert', 'AH01859', notInserted, (database, label) =>
      database.update(label, values),
    )
    if (inserted > 0) return
    const what = 'the session insert query did not cause any rows to be added to the database for session'
    this.#fail(request, 'AH01860', `${what} '${newKey}', session not inserted`)
  }

  /** @param key null if the client has no session: as in httpd, the statement runs, and removes nothing */
  async remove(request: Request, key: string | null): Promise<void> {
    if (request.tracer !== null) return
    const failure = (): string => `query execution error removing session '${key ?? '(null)'}' from database`
    await this.#run(request, 'delete', 'AH01864', failure, (database, label) => database.update(label, [key]))
  }

  async #run<T>(
    request: Request,
    task: Task,
    code: string,
    describe: (label: string, reason: string) => string,
    run: (database: Database, label: string) => Promise<T>,
  ): Promise<T> {
    const label = this.#host.configOf(request).labels?.[task] ?? LABELS[task].standard
    const database = this.#host.functions.get(databaseOf)?.(request.server)
    if (database === undefined) return this.#fail(request, 'AH01850', 'You must load mod_dbd to enable AuthDBD functions')
    if (!database.has(label)) {
      return this.#fail(request, 'AH01852', `failed to find the prepared statement called '${label}'`)
    }
    try {
      return await run(database, label)
    } catch (error) {
      if (isDatabaseUnavailable(error)) return this.#fail(request, 'AH01851', 'failed to acquire database connection')
      return this.#fail(request, code, describe(label, byteText(error instanceof Error ? error.message : String(error))))
    }
  }

  #fail(request: Request, code: string, text: string): never {
    this.#host.log.write(request, 'error', code, text)
    throw new SessionTableError(text)
  }
}

/** The database's message as byte string. */
function byteText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
