import { systemError as osError } from '@gatewright/api/text'

/**
 * Why a DBM file cannot be opened, read or written. `code` and `text` are what httpd puts in front of its
 * message: `(2)No such file or directory: AH01799: ...`. `message` names the file and the fault in our own
 * words.
 */
export class DbmError extends Error {
  /**
   * The system's error number; 20019 for a type without a driver; 120000 and more for errors of GDBM and
   * Berkeley DB.
   */
  readonly code: number
  readonly text: string

  constructor(code: number, text: string, reason: string) {
    super(reason)
    this.name = 'DbmError'
    this.code = code
    this.text = text
  }
}

/** An error of the operating system, by its positive number. */
export function systemError(errno: number, reason: string): DbmError {
  return new DbmError(errno, osError(errno).text, reason)
}

/**
 * An error of the library that a loadable driver uses. httpd adds the library's own number to 120000, the
 * base of APR's numbers for applications, and has no text for it.
 */
export function driverError(number: number, reason: string): DbmError {
  return new DbmError(120000 + number, 'APR does not understand this error code', reason)
}

/** The error for a type without a driver: httpd tries to load one and fails. */
export function unknownTypeError(type: string): DbmError {
  return noDriverError(`unknown DBM type ${type}`)
}

/** The error for an operation that no driver supports. */
export function noDriverError(reason: string): DbmError {
  return new DbmError(20019, 'DSO load failed', reason)
}

/**
 * Converts what Node threw from a file system call, with the C library's text. @throws any other value
 * unchanged
 */
export function systemErrorOf(error: unknown): DbmError {
  if (error instanceof Error && 'errno' in error) return systemError(errnoOf(error), error.message)
  throw error
}

/** The positive number of the system's error in what Node threw from a file system call. */
export function errnoOf(error: unknown): number {
  const EIO = 5
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? Math.abs(error.errno) : EIO
}
