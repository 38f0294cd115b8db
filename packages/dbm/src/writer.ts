/** `existing` must be there already, `create` makes what is missing, `truncate` begins an empty database. */
export type DbmWriterMode = 'existing' | 'create' | 'truncate'

/**
 * A database open for changes. Changes are collected in memory; `close` puts the changed database in the place of the old one, so that
 * a reader sees all of them or none. Between opening and closing no other writer of this package gets at the database.
 *
 * All methods throw DbmError. A change that fails has changed nothing.
 */
export interface DbmWriter {
  get(key: Buffer): Buffer | undefined
  /** @returns false, and changes nothing, if the key is there already */
  insert(key: Buffer, value: Buffer): boolean
  /** Stores the value whether or not the key is there. */
  replace(key: Buffer, value: Buffer): void
  /** @returns false if the key is not there */
  delete(key: Buffer): boolean
  /** Every record once, as it stands after the changes so far. Change nothing before the iteration has ended. */
  entries(): Iterable<[key: Buffer, value: Buffer]>
  /**
   * Makes the changes last. Closing twice is harmless.
   * @throws DbmError, and leaves the old database in place, if the new one cannot be written, or another program has changed the old one
   *   meanwhile
   */
  close(): void
  /** Leaves the database as it was. Harmless after `close`. */
  abandon(): void
}
