import type { ErrorRecord } from './error-record.ts'

/**
 * The destination of formatted lines. No method throws because of problems with the file, pipe or terminal.
 */
export interface LogDestination {
  /**
   * Accepts one line, a byte string that ends with a line feed. Unless buffered, it is written at the end of
   * the loop turn at the latest.
   */
  write(line: string): void
  /** Writes all accepted lines before it returns. */
  flush(): void
  /** Reopens the target by its name after rotation. A target without a name is only flushed. */
  reopen(): void
  /** Flushes and releases the target; later lines are dropped. */
  close(): void
  /** Number of lines that could not be written so far; absent if they are not counted. */
  readonly droppedLines?: number
}

/** A destination for people, which formats messages of the error log itself. */
export interface RecordDestination extends LogDestination {
  writeRecord(record: ErrorRecord): void
}

/** Whether a destination accepts records instead of formatted lines. */
export function isRecordDestination(destination: LogDestination): destination is RecordDestination {
  return 'writeRecord' in destination
}

/** A destination that cannot be written to. */
export interface WriteTrouble {
  /** Path of the file, or a name such as `descriptor 2`. */
  readonly target: string
  readonly error: Error
}

/** Lines that a destination accepted but never wrote. */
export interface LineLoss {
  /** As in WriteTrouble. */
  readonly target: string
  readonly lines: number
}

/** Called when writing works again after lines were lost, and when a destination is closed. */
export type LossListener = (loss: LineLoss) => void

/** Called once when writing begins to fail, and again only after it has worked in between. */
export type TroubleListener = (trouble: WriteTrouble) => void
