import { ExpiringStore } from '@gatewright/core/stores'
import type { FromWorker, ToWorker } from '../roles/messages.ts'

/** Messages of workers about the stores that they share. */
export type StoreMessage = Extract<
  FromWorker,
  {
    readonly type:
      | 'store'
      | 'forget'
      | 'lookUp'
      | 'increment'
      | 'exchange'
      | 'publish'
      | 'subscribe'
      | 'unsubscribe'
      | 'askFigures'
  }
>
export type StoreAnswer = Extract<ToWorker, { readonly type: 'found' | 'sum' | 'exchanged' | 'published' | 'figures' }>

const TYPES: Readonly<Record<StoreMessage['type'], true>> = {
  store: true,
  forget: true,
  lookUp: true,
  increment: true,
  exchange: true,
  publish: true,
  subscribe: true,
  unsubscribe: true,
  askFigures: true,
}

export function isStoreMessage(message: FromWorker): message is StoreMessage {
  return Object.hasOwn(TYPES, message.type)
}

/** A worker, as far as stores concern it. */
export interface StoreUser {
  answer(message: StoreAnswer): void
}

/** What workers keep for each other until the server stops, in the memory of the supervisor. */
export class SharedStores {
  readonly #stores = new Map<string, ExpiringStore>()
  /** Who has subscribed, by store and topic. */
  readonly #subscribers = new Map<string, Set<StoreUser>>()

  receive(message: StoreMessage, worker: StoreUser): void {
    switch (message.type) {
      case 'store':
        return void this.#open(message).set(message.key, message.value, message.lifetime)
      case 'forget':
        return this.#stores.get(message.store)?.delete(message.key)
      case 'lookUp':
        return worker.answer({ type: 'found', id: message.id, value: this.#stores.get(message.store)?.get(message.key) ?? null })
      case 'increment': {
        const sum = this.#open(message).increment(message.key, message.amount, message.lifetime)
        return worker.answer({ type: 'sum', id: message.id, sum: sum ?? null })
      }
      case 'exchange': {
        const { id, key, expected, value, lifetime } = message
        const done = this.#open(message).compareAndSet(key, expected ?? undefined, value, lifetime)
        return worker.answer({ type: 'exchanged', id, done })
      }
      case 'publish':
        return this.#publish(message)
      case 'subscribe': {
        const name = nameOf(message)
        const subscribers = this.#subscribers.get(name) ?? new Set<StoreUser>()
        this.#subscribers.set(name, subscribers.add(worker))
        return
      }
      case 'unsubscribe':
        return this.#unsubscribe(nameOf(message), worker)
      case 'askFigures':
        return worker.answer({ type: 'figures', id: message.id, figures: this.#stores.get(message.store)?.figures() ?? null })
    }
  }

  /** The worker has ended. */
  left(worker: StoreUser): void {
    for (const name of this.#subscribers.keys()) this.#unsubscribe(name, worker)
  }

  #open({ store: name, limit }: { readonly store: string; readonly limit: number }): ExpiringStore {
    const store = this.#stores.get(name) ?? new ExpiringStore(limit, () => performance.now())
    this.#stores.set(name, store)
    store.limitTo(limit)
    return store
  }

  #publish(message: Extract<StoreMessage, { readonly type: 'publish' }>): void {
    const { store, topic, bytes } = message
    for (const worker of this.#subscribers.get(nameOf(message)) ?? []) worker.answer({ type: 'published', store, topic, bytes })
  }

  #unsubscribe(name: string, worker: StoreUser): void {
    const subscribers = this.#subscribers.get(name)
    subscribers?.delete(worker)
    if (subscribers?.size === 0) this.#subscribers.delete(name)
  }
}

function nameOf({ store, topic }: { readonly store: string; readonly topic: string }): string {
  return JSON.stringify([store, topic])
}
