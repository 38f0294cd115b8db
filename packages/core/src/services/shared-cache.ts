import type { SharedStore } from '@gatewright/api'

/**
 * A store that is opened when it is first used, because a module may ask for it before the configuration has chosen the
 * cache.
 */
export function openedOnUse(open: () => SharedStore): SharedStore {
  let opened: SharedStore | null = null
  const store = (): SharedStore => {
    opened ??= open()
    return opened
  }
  return {
    get reach() {
      return store().reach
    },
    get: (key) => store().get(key),
    set: (key, bytes, lifetime) => store().set(key, bytes, lifetime),
    delete: (key) => store().delete(key),
    increment: (key, amount, lifetime) => store().increment(key, amount, lifetime),
    compareAndSet: (key, expected, bytes, lifetime) => store().compareAndSet(key, expected, bytes, lifetime),
    publish: (topic, bytes) => store().publish(topic, bytes),
    subscribe: (topic, listener) => store().subscribe(topic, listener),
    figures: () => store().figures(),
  }
}
