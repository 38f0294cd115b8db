import { timingSafeEqual } from 'node:crypto'
import type { SharedStore } from '@gatewright/api'

/** Milliseconds for which the key of all machines is used without asking for it again. */
const UNASKED = 60_000
/** Milliseconds that the cache keeps it after a machine has last asked for it. */
const LIFE = 7 * 86_400_000
const KEY_BYTES = 32
const NAME = 'key'

/**
 * The keys with which nonces are signed: one that all machines of a site have in their cache, and the server's own, which is
 * the only one without such a cache, and makes nonces until the first is known.
 */
export class NonceKeys {
  readonly #now: () => number
  #store: SharedStore | null = null
  #current: Uint8Array
  /** Makes no nonces any more, but some of it are in use. */
  #former: Uint8Array | null = null
  #askedAt = Number.NEGATIVE_INFINITY

  /** @param own the same in all processes of the server @param now a monotonic clock in milliseconds */
  constructor(own: Uint8Array, now: () => number = () => performance.now()) {
    this.#current = own
    this.#now = now
  }

  /** From now on, the key is the one in a store. */
  shareIn(store: SharedStore): Promise<void> {
    this.#store = store
    this.#askedAt = this.#now()
    return this.#agree(store)
  }

  /** The key for new nonces. */
  current(): Uint8Array {
    this.#refresh()
    return this.#current
  }

  /** All keys of nonces that are accepted. */
  accepted(): readonly Uint8Array[] {
    this.#refresh()
    return this.#former === null ? [this.#current] : [this.#current, this.#former]
  }

  /** Asks now and then, because the cache may have lost its key, and another machine have made one. */
  #refresh(): void {
    const now = this.#now()
    if (this.#store === null || now - this.#askedAt < UNASKED) return
    this.#askedAt = now
    void this.#agree(this.#store)
  }

  async #agree(store: SharedStore): Promise<void> {
    const found = await store.get(NAME)
    const isKey = found?.length === KEY_BYTES
    // Of several machines whose cache has no key, one succeeds; the others find its key the next time.
    const isKept = await store.compareAndSet(NAME, found, isKey ? found : this.#current, LIFE)
    const key = isKey ? found : isKept === true ? this.#current : await store.get(NAME)
    if (key?.length === KEY_BYTES && !timingSafeEqual(key, this.#current)) {
      this.#former = this.#current
      this.#current = Buffer.from(key)
    }
  }
}
