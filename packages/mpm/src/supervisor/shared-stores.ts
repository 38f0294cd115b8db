import { ExpiringStore } from '@gatewright/core/stores'
import type { FromWorker, ToWorker } from '../roles/messages.ts'

/** Messages of workers about the stores that they share. */
export type StoreMessage = Extract<FromWorker, { readonly type: 'store' | 'forget' | 'lookUp' | 'askFigures' }>
export type StoreAnswer = Extract<ToWorker, { readonly type: 'found' | 'figures' }>

/** What workers keep for each other until the server stops, in the memory of the supervisor. */
export class SharedStores {
  readonly #stores = new Map<string, ExpiringStore>()

  /** @param answer sends a message to the worker */
  receive(message: StoreMessage, answer: (message: StoreAnswer) => void): void {
    const known = this.#stores.get(message.store)
    switch (message.type) {
      case 'store': {
        const store = known ?? new ExpiringStore(message.limit, () => performance.now())
        this.#stores.set(message.store, store)
        store.limitTo(message.limit)
        return store.set(message.key, message.value, message.lifetime)
      }
      case 'forget':
        return known?.delete(message.key)
      case 'lookUp':
        return answer({ type: 'found', id: message.id, value: known?.get(message.key) ?? null })
      case 'askFigures':
        return answer({ type: 'figures', id: message.id, figures: known?.figures() ?? null })
    }
  }
}
