import type { DbmError } from './dbm-error.ts'

/** An open DBM file. Reading is synchronous; opening reads small files whole. */
export interface DbmReader {
  /** The size of its files in bytes when it was opened. */
  readonly size: number
  /**
   * The value of a key, or undefined if there is none. As in httpd, a key that damage hides counts as absent;
   * `damage` distinguishes the two. The value may share memory with the reader: copy it before changing it.
   */
  get(key: Buffer): Buffer | undefined
  /**
   * Every record once, in the order of the file.
   * @throws DbmError after the records before the damage, if the file is damaged
   */
  entries(): Iterable<[key: Buffer, value: Buffer]>
  /**
   * The first damage that a look-up has found. Callers that must reject a request instead of treating a key
   * as absent check it after `get`.
   */
  readonly damage: DbmError | undefined
  /** Releases the file. Closing twice is harmless; reading afterwards throws DbmError. */
  close(): void
}
