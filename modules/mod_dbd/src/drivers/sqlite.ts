import { Worker } from 'node:worker_threads'
import type { BoundValue, DatabaseConnection, DatabaseDriver, DatabaseStatement, DriverRows } from '@gatewright/api'
import { type SqliteAnswer, type SqliteQuestion, THREAD_FILE, THREAD_KIND } from './sqlite-thread.ts'

/** The driver `sqlite3`. Each connection has a thread of its own, because SQLite reads and writes files synchronously. */
export const sqliteDriver: DatabaseDriver = {
  survivesInitErrors: true,
  async connect(params, timeout) {
    const connection = new SqliteConnection()
    try {
      // Half of the time, so that a locked database is reported as such before nobody waits any more.
      await connection.ask({ op: 'open', path: params, busy: Math.floor(timeout / 2) })
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  },
}

interface Pending {
  readonly resolve: (answer: SqliteAnswer) => void
  readonly reject: (error: Error) => void
}

class SqliteConnection implements DatabaseConnection {
  readonly #thread = new Worker(THREAD_FILE, { workerData: THREAD_KIND })
  #pending: Pending | null = null
  #ended: Error | null = null

  constructor() {
    // A process may end although databases are open, but not while it waits for an answer.
    this.#thread.unref()
    this.#thread.on('message', (answer: SqliteAnswer) => this.#settle((pending) => pending.resolve(answer)))
    this.#thread.on('error', (error) => this.#end(error))
    this.#thread.on('exit', () => this.#end(new Error('the thread of the database has ended')))
  }

  get isLost(): boolean {
    return this.#ended !== null
  }

  async prepare({ label, texts }: DatabaseStatement): Promise<void> {
    await this.ask({ op: 'prepare', label, sql: texts.join('?') })
  }

  async select({ label }: DatabaseStatement, values: readonly BoundValue[], most: number): Promise<DriverRows> {
    const answer = await this.ask({ op: 'select', label, values, most })
    if (!('rows' in answer)) throw new Error('the database gave no rows')
    return answer
  }

  async update({ label }: DatabaseStatement, values: readonly BoundValue[]): Promise<number> {
    const answer = await this.ask({ op: 'update', label, values })
    if (!('changed' in answer)) throw new Error('the database gave no number of rows')
    return answer.changed
  }

  async execute(sql: string): Promise<void> {
    await this.ask({ op: 'execute', sql })
  }

  close(): void {
    if (this.#ended !== null) return
    if (this.#pending === null) {
      this.#thread.postMessage({ op: 'close' } satisfies SqliteQuestion)
      this.#ended = new Error('the connection is closed')
    } else {
      this.#end(new Error('the connection is closed'))
      this.#thread.terminate()
    }
  }

  /** Asks the thread. @returns rejects with the database's error, or if the thread ends */
  ask(question: SqliteQuestion): Promise<SqliteAnswer> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    if (this.#pending !== null) return Promise.reject(new Error('the connection is in use'))
    this.#thread.ref()
    return new Promise<SqliteAnswer>((resolve, reject) => {
      this.#pending = {
        resolve: (answer) => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer)),
        reject,
      }
      this.#thread.postMessage(question)
    })
  }

  #settle(act: (pending: Pending) => void): void {
    const pending = this.#pending
    this.#pending = null
    this.#thread.unref()
    if (pending !== null) act(pending)
  }

  #end(error: Error): void {
    this.#ended ??= error
    this.#settle((pending) => pending.reject(error))
  }
}
