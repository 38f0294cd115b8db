import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { BoundValue } from '@gatewright/api'

/** A question to the thread of a database. */
export type SqliteQuestion =
  | { readonly op: 'open'; readonly path: string; readonly busy: number }
  | { readonly op: 'prepare'; readonly label: string; readonly sql: string }
  | { readonly op: 'select'; readonly label: string; readonly values: readonly BoundValue[]; readonly most: number }
  | { readonly op: 'update'; readonly label: string; readonly values: readonly BoundValue[] }
  | { readonly op: 'execute'; readonly sql: string }
  | { readonly op: 'close' }

/** Its answer. */
export type SqliteAnswer =
  | { readonly error: string }
  | { readonly columns: string[]; readonly rows: (string | Uint8Array | null)[][] }
  | { readonly changed: number }

/** Marks threads of this file among those that others start. */
export const THREAD_KIND = 'gatewright mod_dbd sqlite3'

/** This file, or the bundle of the module, whose code serves databases when a thread of that kind runs it. */
export const THREAD_FILE: URL = new URL(import.meta.url)

/** A database that one thread serves. */
class OpenDatabase {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #cast: StatementSync

  /** @param busy milliseconds to wait for a lock of another connection */
  constructor(path: string, busy: number) {
    // As in httpd's driver: foreign keys are not enforced, and quotation marks of the wrong kind still delimit texts.
    const options = { timeout: busy, enableForeignKeyConstraints: false, enableDoubleQuotedStringLiterals: true }
    this.#database = new DatabaseSync(path, options)
    // SQLite opens files when they are first read; httpd reports a missing folder at once, as this does.
    this.#database.prepare('PRAGMA schema_version').get()
    this.#cast = this.#database.prepare('SELECT CAST(? AS TEXT) AS text')
  }

  prepare(label: string, sql: string): void {
    const statement = this.#database.prepare(sql)
    statement.setReturnArrays(true)
    statement.setReadBigInts(true)
    this.#statements.set(label, statement)
  }

  select(label: string, values: readonly BoundValue[], most: number): SqliteAnswer {
    const statement = this.#statement(label)
    const columns = statement.columns().map(({ name }) => name)
    const rows: (string | Uint8Array | null)[][] = []
    for (const row of statement.iterate(...values)) {
      if (!Array.isArray(row)) throw new Error('a row is no list')
      rows.push(row.map((value) => this.#textOf(value)))
      if (rows.length >= most) break
    }
    return { columns, rows }
  }

  update(label: string, values: readonly BoundValue[]): SqliteAnswer {
    return { changed: Number(this.#statement(label).run(...values).changes) }
  }

  execute(sql: string): void {
    this.#database.exec(sql)
  }

  close(): void {
    this.#database.close()
  }

  /** The text of a value, as SQLite itself converts it. */
  #textOf(value: unknown): string | Uint8Array | null {
    if (typeof value === 'string' || value instanceof Uint8Array) return value
    if (typeof value === 'bigint') return value.toString()
    if (typeof value !== 'number') return null
    const text = this.#cast.get(value)?.text
    return typeof text === 'string' ? text : null
  }

  #statement(label: string): StatementSync {
    const statement = this.#statements.get(label)
    if (statement === undefined) throw new Error(`no statement ${label}`)
    return statement
  }
}

/** Answers one question at a time, until one asks it to close. */
function serve(port: MessagePort): void {
  let database: OpenDatabase | null = null
  const answer = (question: SqliteQuestion): SqliteAnswer => {
    if (question.op === 'open') {
      database = new OpenDatabase(question.path, question.busy)
      return { changed: 0 }
    }
    if (database === null) throw new Error('no database is open')
    switch (question.op) {
      case 'prepare':
        database.prepare(question.label, question.sql)
        return { changed: 0 }
      case 'select':
        return database.select(question.label, question.values, question.most)
      case 'update':
        return database.update(question.label, question.values)
      case 'execute':
        database.execute(question.sql)
        return { changed: 0 }
      case 'close':
        database.close()
        port.close()
        return { changed: 0 }
    }
  }
  port.on('message', (question: SqliteQuestion) => {
    let result: SqliteAnswer
    try {
      result = answer(question)
    } catch (error) {
      result = { error: error instanceof Error ? error.message : String(error) }
    }
    port.postMessage(result)
  })
}

if (!isMainThread && workerData === THREAD_KIND && parentPort !== null) serve(parentPort)
