import {
  type ConnectionHeir,
  type PassConnection,
  type RotatingSecrets,
  requireAmount,
  requireMessage,
  type SharedRecord,
  type SharedRecordShape,
  type SharedStore,
} from '@gatewright/api'
import { ExpiringStore } from './expiring-store.ts'
import { newSecretKey, Secrets } from './secrets.ts'
import { SharedRecords } from './shared-records.ts'
import { Topics } from './topics.ts'

/** Keys that are replaced from time to time. */
export interface RotatingKeys {
  readonly current: Uint8Array
  /** The key before; null until the first is replaced. */
  readonly previous: Uint8Array | null
}

/** What the processes of a server share while they serve. */
export interface SharedState {
  /** The same object until the keys are replaced. */
  rotatingKeys(): RotatingKeys
  /** @param limit bytes */
  store(name: string, limit: number): SharedStore
  record(name: string, shape: SharedRecordShape): SharedRecord
  /** See HostServices. */
  inheritConnections(name: string, heir: ConnectionHeir): PassConnection
}

/** The state of a process that shares nothing. */
export function ownState(): SharedState {
  const keys: RotatingKeys = { current: newSecretKey(), previous: null }
  const stores = new Map<string, ExpiringStore>()
  const topics = new Topics()
  const records = new SharedRecords(() => {})
  return {
    rotatingKeys: () => keys,
    record: (name, shape) => records.open(name, shape),
    inheritConnections: () => (socket) => void socket.destroy(),
    store(name, limit) {
      const store = stores.get(name) ?? new ExpiringStore(limit, () => performance.now())
      store.limitTo(limit)
      stores.set(name, store)
      return {
        reach: 'server',
        get: async (key) => {
          const text = store.get(key)
          return text === undefined ? undefined : Buffer.from(text, 'base64')
        },
        set: (key, bytes, lifetime) => store.set(key, encoded(bytes), lifetime),
        delete: (key) => store.delete(key),
        increment: async (key, amount, lifetime) => {
          requireAmount(amount)
          return store.increment(key, amount, lifetime)
        },
        compareAndSet: async (key, expected, bytes, lifetime) =>
          store.compareAndSet(key, expected === undefined ? undefined : encoded(expected), encoded(bytes), lifetime),
        publish: (topic, bytes) => {
          requireMessage(bytes)
          topics.deliver(name, topic, Buffer.from(bytes))
        },
        subscribe: (topic, listener) => {
          const own: typeof listener = (bytes) => listener(bytes)
          topics.add(name, topic, own)
          return () => void topics.remove(name, topic, own)
        },
        figures: async () => store.figures(),
      }
    },
  }
}

function encoded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** The secrets of a name, derived from the keys when these are replaced. */
export function rotatingSecrets(state: SharedState, name: string): () => RotatingSecrets {
  let keys: RotatingKeys | null = null
  let secrets: RotatingSecrets | null = null
  return () => {
    const now = state.rotatingKeys()
    if (secrets === null || keys !== now) {
      keys = now
      const previous = now.previous === null ? null : new Secrets(now.previous).of(name)
      secrets = { current: new Secrets(now.current).of(name), previous }
    }
    return secrets
  }
}
