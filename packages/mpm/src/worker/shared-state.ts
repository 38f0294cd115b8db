import {
  type ConnectionHeir,
  type PassConnection,
  requireAmount,
  requireMessage,
  type SharedRecord,
  type SharedRecordShape,
  type SharedStore,
} from '@gatewright/api'
import { type RecordChange, type RotatingKeys, SharedRecords, type SharedState } from '@gatewright/core'
import { ExpiringStore, Topics } from '@gatewright/core/stores'
import type { FromWorker, KeyPair, ToWorker } from '../roles/messages.ts'
import type { PassedConnections } from './passed-connections.ts'

/** Time after which a supervisor that does not answer counts as having found nothing (ms). */
const PATIENCE = 5_000

/** What answers a question about a store. */
export type StoreReply = Extract<ToWorker, { readonly type: 'found' | 'sum' | 'exchanged' | 'figures' }>

/** What this worker shares with the others, by way of the supervisor. */
export class WorkerSharedState implements SharedState {
  readonly #send: (message: FromWorker) => void
  readonly #waiting = new Map<number, (reply: StoreReply) => void>()
  readonly #topics = new Topics()
  readonly #records: SharedRecords
  readonly #connections: PassedConnections
  #keys: RotatingKeys
  #last = 0

  constructor(keys: KeyPair, send: (message: FromWorker) => void, connections: PassedConnections) {
    this.#send = send
    this.#connections = connections
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
      reach: 'server',
      get: async (key) => {
        const reply = await this.#ask((id) => ({ type: 'lookUp', id, store: name, key }))
        return reply?.type !== 'found' || reply.value === null ? undefined : Buffer.from(reply.value, 'base64')
      },
      set: (key, bytes, lifetime) => this.#send({ type: 'store', store: name, limit, key, value: encoded(bytes), lifetime }),
      delete: (key) => this.#send({ type: 'forget', store: name, key }),
      increment: async (key, amount, lifetime) => {
        requireAmount(amount)
        const reply = await this.#ask((id) => ({ type: 'increment', id, store: name, limit, key, amount, lifetime }))
        return reply?.type === 'sum' ? (reply.sum ?? undefined) : undefined
      },
      compareAndSet: async (key, expected, bytes, lifetime) => {
        const [old, value] = [expected === undefined ? null : encoded(expected), encoded(bytes)]
        const reply = await this.#ask((id) => ({ type: 'exchange', id, store: name, limit, key, expected: old, value, lifetime }))
        return reply?.type === 'exchanged' ? reply.done : undefined
      },
      publish: (topic, bytes) => {
        requireMessage(bytes)
        this.#send({ type: 'publish', store: name, topic, bytes: encoded(bytes) })
      },
      subscribe: (topic, listener) => this.#subscribe(name, topic, listener),
      figures: async () => {
        const reply = await this.#ask((id) => ({ type: 'askFigures', id, store: name }))
        if (reply?.type !== 'figures') return undefined
        // Nothing was stored yet: the supervisor does not know the limit.
        return reply.figures ?? new ExpiringStore(limit, () => 0).figures()
      },
    }
  }

  record(name: string, shape: SharedRecordShape): SharedRecord {
    return this.#records.open(name, shape)
  }

  inheritConnections(name: string, heir: ConnectionHeir): PassConnection {
    return this.#connections.add(name, heir)
  }

  /** Sends the changes of records that have not been sent yet. */
  flushRecords(): void {
    this.#records.flush()
  }

  recordChanges(changes: readonly RecordChange[]): void {
    this.#records.receive(changes)
  }

  replied(reply: StoreReply): void {
    this.#waiting.get(reply.id)?.(reply)
  }

  published({ store, topic, bytes }: Extract<ToWorker, { readonly type: 'published' }>): void {
    this.#topics.deliver(store, topic, Buffer.from(bytes, 'base64'))
  }

  #subscribe(store: string, topic: string, listener: (bytes: Uint8Array) => void): () => void {
    const own: typeof listener = (bytes) => listener(bytes)
    if (this.#topics.add(store, topic, own)) this.#send({ type: 'subscribe', store, topic })
    return () => {
      if (this.#topics.remove(store, topic, own)) this.#send({ type: 'unsubscribe', store, topic })
    }
  }

  /** Sends a question. @returns its answer; undefined without one in time */
  #ask(question: (id: number) => FromWorker): Promise<StoreReply | undefined> {
    return new Promise((resolve) => {
      const id = ++this.#last
      const settle = (reply: StoreReply | undefined): void => {
        clearTimeout(late)
        this.#waiting.delete(id)
        resolve(reply)
      }
      const late = setTimeout(() => settle(undefined), PATIENCE)
      this.#waiting.set(id, settle)
      this.#send(question(id))
    })
  }
}

function encoded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function decoded({ current, previous }: KeyPair): RotatingKeys {
  return { current: Buffer.from(current, 'base64'), previous: previous === null ? null : Buffer.from(previous, 'base64') }
}
