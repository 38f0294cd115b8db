import type { OsError } from './log.ts'
import type { DirectivePlace } from './work.ts'

/**
 * Why something is refused, in parts: what `set` of a directive, `parse` of a provider and functions of the start's hooks return instead of a text. The server prints it.
 *
 * ```ts
 * return { message: `unknown unit '${unit}'`, hint: 'write second, minute or hour' }
 * ```
 *
 * @suppliedByModules
 * @since 2.4.5
 */
export interface Problem {
  /** Code of the message with its letters (`AH01624`), printed before it. */
  readonly code?: string
  /** What is wrong, without file and line. */
  readonly message: string
  /** What to do, without `hint:`; printed on a line of its own after all others. */
  readonly hint?: string
  /** The error of the system that caused it, printed before the code as in the error log: `(13)Permission denied: `. Other errors print nothing. */
  readonly cause?: OsError | Error
  /**
   * The line of the configuration that is at fault. Absent: of a directive, its own line, and of a hook none. A hook that names one is reported like a directive
   * (`AH00526: Syntax error on line ...`).
   */
  readonly place?: Pick<DirectivePlace, 'file' | 'line'>
}
