/** A complaint of TypeScript about a module's source. Where it is about no file, `file` is empty and its place is 0. */
export interface SourceDiagnostic {
  /** Absolute path. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** TypeScript's number, 2339. */
  readonly code: number
  /** What is wrong, in one or more lines. */
  readonly message: string
  /** The row of UPGRADING.md that it is about, where it was found by a name alone because the type is not known. */
  readonly row?: string
}
