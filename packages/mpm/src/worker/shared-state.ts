import type { SharedStore } from '@gatewright/api'
import type { RotatingKeys, SharedState } from '@gatewright/core'
import type { FromWorker, KeyPair } from '../roles/messages.ts'

/** Time after which a supervisor that does not answer counts as having found nothing (ms). */
const PATIENCE = 1_000

/** What this worker shares with the others, by way of the supervisor. */
export class WorkerSharedState implements SharedState {
  readonly #send: (message: FromWorker) => void
  readonly #waiting = new Map<number, (value: string | null) => void>()
  #keys: RotatingKeys
  #last = 0

  constructor(keys: KeyPair, send: (message: FromWorker) => void) {
    this.#send = send
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
    }
  }

  found(id: number, value: string | null): void {
    this.#waiting.get(id)?.(value)
  }

  #lookUp(store: string, key: string): Promise<Uint8Array | undefined> {
    return new Promise((resolve) => {
      const id = ++this.#last
      const settle = (value: string | null): void => {
        clearTimeout(late)
        this.#waiting.delete(id)
        resolve(value === null ? undefined : Buffer.from(value, 'base64'))
      }
      const late = setTimeout(() => settle(null), PATIENCE)
      this.#waiting.set(id, settle)
      this.#send({ type: 'lookUp', id, store, key })
    })
  }
}

function decoded({ current, previous }: KeyPair): RotatingKeys {
  return { current: Buffer.from(current, 'base64'), previous: previous === null ? null : Buffer.from(previous, 'base64') }
}
