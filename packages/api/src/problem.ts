import type { OsError } from './log.ts'
import type { DirectivePlace } from './work.ts'

/**
 * An error in parts, which `set` of a directive, `parse` of a provider and functions of the start's hooks can
 * return instead of a text. The server prints it.
 *
 * ```ts
 * return { message: `unknown unit '${unit}'`, hint: 'write second, minute or hour' }
 * ```
 *
 * @suppliedByModules
 * @since 2.4.5
 */
export interface Problem {
  /** Code of the message with its letters (`AH01624`), printed before the message. */
  readonly code?: string
  /** The error, without file and line. */
  readonly message: string
  /** The solution, without `hint:`; printed on a separate line at the end. */
  readonly hint?: string
  /**
   * The system error that caused the problem, printed before the code as in the error log: `(13)Permission
   * denied: `. Other errors print nothing.
   */
  readonly cause?: OsError | Error
  /**
   * The faulty line of the configuration. If absent, it is the directive's own line, and a hook has none. A
   * problem of a hook with a place is reported like one of a directive (`AH00526: Syntax error on line ...`).
   */
  readonly place?: Pick<DirectivePlace, 'file' | 'line'>
  /**
   * For a problem of a hook with a place that httpd finds when it executes the directive: the line that it prints first. The
   * line about the step that failed (`AH00014: Configuration check failed`) is left out then.
   * @since 2.4.6
   */
  readonly before?: Pick<Problem, 'code' | 'message' | 'cause'>
}
