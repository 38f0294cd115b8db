/** Receives what is published. */
export type Listener = (bytes: Uint8Array) => void

/** Who listens to what in this process, by the names of stores and topics. */
export class Topics {
  readonly #listeners = new Map<string, Map<string, Set<Listener>>>()

  /** @returns whether nobody listened to the topic before */
  add(store: string, topic: string, listener: Listener): boolean {
    const topics = this.#listeners.get(store) ?? new Map<string, Set<Listener>>()
    this.#listeners.set(store, topics)
    const listeners = topics.get(topic) ?? new Set<Listener>()
    topics.set(topic, listeners)
    listeners.add(listener)
    return listeners.size === 1
  }

  /** @returns whether nobody listens to the topic any more */
  remove(store: string, topic: string, listener: Listener): boolean {
    const topics = this.#listeners.get(store)
    const listeners = topics?.get(topic)
    if (listeners?.delete(listener) !== true || listeners.size > 0) return false
    topics?.delete(topic)
    if (topics?.size === 0) this.#listeners.delete(store)
    return true
  }

  /** Calls each listener apart, so that one that fails does not keep others from their bytes. */
  deliver(store: string, topic: string, bytes: Uint8Array): void {
    for (const listener of this.#listeners.get(store)?.get(topic) ?? []) setImmediate(() => listener(bytes))
  }
}
