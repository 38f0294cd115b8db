import type { MaybePromise } from './outcome.ts'

/** A file that is cached and validated by one stat per path and turn of the event loop. */
export interface CachedFile<T> {
  /** The value made from its content. */
  readonly value: T
}

/** The content of a watched file, parsed once per version of the file. */
export interface WatchedFile<T> {
  /**
   * The parsed value of the current file.
   * @throws the system's error if it cannot be read, as a Node error with code and errno
   */
  current(): T
}

/**
 * Parses a file that arrives in parts.
 * @since 2.4.5
 */
export interface TextReader<T> {
  /**
   * The number of entries kept so far. It and the bytes read determine the memory that counts for the result.
   */
  readonly entries: number
  /**
   * Processes the next part of the file's bytes, one character each; a part may end anywhere. Yields after
   * each small piece of work, of microseconds. Returns false if the rest of the file is not needed.
   */
  read(part: string): Iterator<unknown, boolean>
  /** The result, after the end of the file. Yields likewise. */
  finish(): Iterator<unknown, T>
}

/**
 * A file for look-ups by key, which may be too large to keep in memory.
 * @since 2.4.5
 */
export interface SearchedFile<T> {
  /**
   * The entry for a key in the current file; other keys may be ignored. A promise if the file is large: it is
   * read block by block, while other requests are served.
   * @throws the system's error if it cannot be read, or one named `NotRegularFile`: see {@link
   *   logUnreadable}; the promise rejects with it
   */
  find(key: string): MaybePromise<T>
  /** The content of the whole file, if it is available without waiting. @throws like `find` */
  whole(): T | undefined
}
