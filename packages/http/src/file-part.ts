/** A range of an open file and the text around it: a whole file, or a part of a multipart response. */
export interface FilePart {
  readonly fd: number
  readonly start: number
  readonly length: number
  /** Closes the descriptor after the response, even if it fails. */
  readonly closeFd: boolean
  readonly prefix?: Buffer | string
  readonly suffix?: Buffer | string
  /**
   * Called without `this` after the part has been read, before its last bytes are sent. Returns why the
   * content differs from the announced one, or null.
   */
  readonly fault?: () => Error | null
}

/**
 * Reports whether everything was passed to the system. `failure` is the fault of the file, or null if the
 * connection has closed. `bytes` is the number of bytes of the body that were sent, texts around parts
 * included.
 */
export type FileSent = (complete: boolean, failure: Error | null, bytes: number) => void
