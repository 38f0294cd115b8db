/**
 * Bytes by key that the processes of a server share for a limited time, also across reloads. When it is full, new
 * entries replace the oldest.
 * @since 2.4.6
 */
export interface SharedStore {
  /** Undefined if there are none, if they have expired, or if the other processes do not answer in time. */
  get(key: string): Promise<Uint8Array | undefined>
  /**
   * Keeps bytes in place of those of the key.
   * @param lifetime milliseconds
   */
  set(key: string, bytes: Uint8Array, lifetime: number): void
  /** Removes the bytes of a key. */
  delete(key: string): void
  /** What it contains, and has done since the server was started; undefined if the other processes do not answer in time. */
  figures(): Promise<SharedStoreFigures | undefined>
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
