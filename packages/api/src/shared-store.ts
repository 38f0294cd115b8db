/**
 * Bytes by key that the processes of a server share for a limited time, also across reloads. When it is full, new
 * entries replace the oldest: what must not be forgotten does not belong here.
 *
 * No operation throws because the store is away. Those that decide something then resolve to `undefined`, which is not an
 * answer: where access depends on it, refuse.
 * @since 2.4.6
 */
export interface SharedStore {
  /** Whether only the processes of this server share it, or those of all machines that use the same cache. */
  readonly reach: 'server' | 'machines'
  /** Undefined if there are none, if they have expired, or if the store does not answer in time. */
  get(key: string): Promise<Uint8Array | undefined>
  /**
   * Keeps bytes in place of those of the key.
   * @param lifetime milliseconds
   */
  set(key: string, bytes: Uint8Array, lifetime: number): void
  /** Removes the bytes of a key. */
  delete(key: string): void
  /**
   * Adds to a counter, and returns the sum: of what several processes add at the same time, nothing is lost. A key without
   * bytes begins at 0; its bytes are the decimal digits of the sum, which does not exceed `Number.MAX_SAFE_INTEGER`.
   * @param amount an integer from 0 to 2147483647
   * @param lifetime milliseconds from the first addition, which the following ones do not extend
   * @returns undefined if the sum is not known: the store does not answer, is too small, or the key has other bytes
   * @throws RangeError for another amount
   */
  increment(key: string, amount: number, lifetime: number): Promise<number | undefined>
  /**
   * Keeps bytes if the key has the expected ones, as one step that no other process interrupts.
   * @param expected undefined if the key must have none
   * @param lifetime milliseconds
   * @returns whether they were kept, which a store that is too small never does; undefined if the store does not answer:
   *   then it may or may not have kept them
   */
  compareAndSet(key: string, expected: Uint8Array | undefined, bytes: Uint8Array, lifetime: number): Promise<boolean | undefined>
  /**
   * Sends bytes to all who have subscribed, in this process too. They arrive in a later turn of the event loop, once as a
   * rule. While a cache of several machines is away they reach this server only, perhaps twice, or nobody: for hints such
   * as "read it again", beside entries that expire.
   * @param bytes at most 65536
   * @throws RangeError for more
   */
  publish(topic: string, bytes: Uint8Array): void
  /**
   * Calls a function with what is published from now on; the connection to a cache of several machines may need a moment.
   * @returns the function that ends it
   */
  subscribe(topic: string, listener: (bytes: Uint8Array) => void): () => void
  /** What it contains, and has done since the server was started; undefined if the other processes do not answer in time. */
  figures(): Promise<SharedStoreFigures | undefined>
}

/** The most bytes that {@link SharedStore.publish} accepts. */
const LONGEST_MESSAGE = 65_536
const LARGEST_AMOUNT = 2 ** 31 - 1

/**
 * For those who provide a {@link SharedStore}: checks the amount of an increment.
 * @throws RangeError
 * @since 2.4.6
 */
export function requireAmount(amount: number): void {
  if (!Number.isInteger(amount) || amount < 0 || amount > LARGEST_AMOUNT)
    throw new RangeError(`a counter of a shared store cannot be incremented by ${amount}`)
}

/**
 * For those who provide a {@link SharedStore}: checks the bytes to publish.
 * @throws RangeError
 * @since 2.4.6
 */
export function requireMessage(bytes: Uint8Array): void {
  if (bytes.length > LONGEST_MESSAGE) throw new RangeError(`a message of ${bytes.length} bytes is too long to be published`)
}

/**
 * The figures of a {@link SharedStore}. Sizes are in bytes.
 * @since 2.4.6
 */
export interface SharedStoreFigures {
  /** The most that the entries may occupy. */
  readonly limit: number
  /** What the entries occupy. */
  readonly used: number
  /** Number of entries, including those that have expired and were not noticed yet. */
  readonly entries: number
  /** Milliseconds until the oldest entry expires; null without entries. */
  readonly oldestLeft: number | null
  /** Entries that were stored under a new key. */
  readonly stored: number
  /** Entries that were stored in place of one with the same key. */
  readonly replaced: number
  /** Entries that had expired when they were looked up or made room. */
  readonly expired: number
  /** Entries that made room for others before they expired. */
  readonly displaced: number
  /** Lookups that found an entry. */
  readonly found: number
  /** Lookups that did not. */
  readonly notFound: number
  /** Entries that were removed. */
  readonly removed: number
  /** Removals of keys that had no entry. */
  readonly notRemoved: number
}
