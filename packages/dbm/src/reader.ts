import type { DbmError } from './dbm-error.ts'

/** An open DBM file. Reading is synchronous; small files were read whole when they were opened. */
export interface DbmReader {
  /** Bytes of its files when it was opened. */
  readonly size: number
  /**
   * The value of a key, or undefined if there is none. As in httpd, a key that damage hides counts as absent;
   * `damage` distinguishes the two. The value may share memory with the reader: copy it before changing it.
   */
  get(key: Buffer): Buffer | undefined
  /**
   * Every record once, in the order of the file.
   * @throws DbmError if the file is damaged, after the records before the damage
   */
  entries(): Iterable<[key: Buffer, value: Buffer]>
  /**
   * The first damage that a look-up has found. Callers that must reject a request rather than treat a key as
   * absent check it after `get`.
   */
  readonly damage: DbmError | undefined
  /** Releases the file. Closing twice is harmless; reading afterwards throws DbmError. */
  close(): void
}
