/**
 * A TypeScript diagnostic about a module's source. If it does not concern a file, `file` is empty and its
 * position is 0.
 */
export interface SourceDiagnostic {
  /** Absolute path. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** TypeScript's number, 2339. */
  readonly code: number
  /** The problem, in one or more lines. */
  readonly message: string
  /**
   * The row of UPGRADING.md that it refers to, if it was found by a name alone because the type is unknown.
   */
  readonly row?: string
}
