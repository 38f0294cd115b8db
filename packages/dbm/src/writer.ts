/**
 * `existing`: the database must exist. `create`: it is made if it is missing. `truncate`: it begins empty.
 */
export type DbmWriterMode = 'existing' | 'create' | 'truncate'

/**
 * A database open for changes. Changes are collected in memory; `close` replaces the old database, so that a
 * reader sees all of them or none. Until then no other writer of this package can open the database.
 *
 * All methods throw DbmError. A failed change leaves the database unchanged.
 */
export interface DbmWriter {
  get(key: Buffer): Buffer | undefined
  /** @returns false, without a change, if the key exists already */
  insert(key: Buffer, value: Buffer): boolean
  /** Stores the value whether or not the key exists. */
  replace(key: Buffer, value: Buffer): void
  /** @returns false if the key does not exist */
  delete(key: Buffer): boolean
  /** Every record once, including the changes so far. Change nothing before the iteration has ended. */
  entries(): Iterable<[key: Buffer, value: Buffer]>
  /**
   * Writes the changes to the files. Closing twice is harmless.
   * @throws DbmError, and keeps the old database, if the new one cannot be written or another program has
   *   changed the old one meanwhile
   */
  close(): void
  /** Discards the changes. Harmless after `close`. */
  abandon(): void
}
