import type { SharedRecord, SharedRecordShape, SharedStore, SharedStoreFigures } from '@gatewright/api'
import { type RecordChange, type RotatingKeys, SharedRecords, type SharedState } from '@gatewright/core'
import { ExpiringStore } from '@gatewright/core/stores'
import type { FromWorker, KeyPair } from '../roles/messages.ts'

/** Time after which a supervisor that does not answer counts as having found nothing (ms). */
const PATIENCE = 1_000

/** What this worker shares with the others, by way of the supervisor. */
export class WorkerSharedState implements SharedState {
  readonly #send: (message: FromWorker) => void
  readonly #waiting = new Map<number, (value: string | null) => void>()
  readonly #waitingForFigures = new Map<number, (figures: SharedStoreFigures | null) => void>()
  readonly #records: SharedRecords
  #keys: RotatingKeys
  #last = 0

  constructor(keys: KeyPair, send: (message: FromWorker) => void) {
    this.#send = send
    this.#records = new SharedRecords((changes) => send({ type: 'shareRecords', changes }))
    this.#keys = decoded(keys)
  }

  rotatingKeys(): RotatingKeys {
    return this.#keys
  }

  rotate(keys: KeyPair): void {
    this.#keys = decoded(keys)
  }

  store(name: string, limit: number): SharedStore {
    return {
      get: (key) => this.#lookUp(name, key),
      set: (key, bytes, lifetime) => {
        const value = Buffer.from(bytes).toString('base64')
        this.#send({ type: 'store', store: name, limit, key, value, lifetime })
      },
      delete: (key) => this.#send({ type: 'forget', store: name, key }),
      // Nothing was stored yet: the supervisor does not know the limit.
      figures: () =>
        this.#ask(this.#waitingForFigures, (id) => ({ type: 'askFigures', id, store: name })).then((figures) =>
          figures === null ? new ExpiringStore(limit, () => 0).figures() : figures,
        ),
    }
  }

  record(name: string, shape: SharedRecordShape): SharedRecord {
    return this.#records.open(name, shape)
  }

  /** Sends the changes of records that have not been sent yet. */
  flushRecords(): void {
    this.#records.flush()
  }

  recordChanges(changes: readonly RecordChange[]): void {
    this.#records.receive(changes)
  }

  found(id: number, value: string | null): void {
    this.#waiting.get(id)?.(value)
  }

  figures(id: number, figures: SharedStoreFigures | null): void {
    this.#waitingForFigures.get(id)?.(figures)
  }

  async #lookUp(store: string, key: string): Promise<Uint8Array | undefined> {
    const value = await this.#ask(this.#waiting, (id) => ({ type: 'lookUp', id, store, key }))
    return value === null || value === undefined ? undefined : Buffer.from(value, 'base64')
  }

  /** Sends a question. @returns its answer; undefined without one in time */
  #ask<A>(waiting: Map<number, (answer: A) => void>, question: (id: number) => FromWorker): Promise<A | undefined> {
    return new Promise((resolve) => {
      const id = ++this.#last
      const settle = (answer: A | undefined): void => {
        clearTimeout(late)
        waiting.delete(id)
        resolve(answer)
      }
      const late = setTimeout(() => settle(undefined), PATIENCE)
      waiting.set(id, settle)
      this.#send(question(id))
    })
  }
}

function decoded({ current, previous }: KeyPair): RotatingKeys {
  return { current: Buffer.from(current, 'base64'), previous: previous === null ? null : Buffer.from(previous, 'base64') }
}
