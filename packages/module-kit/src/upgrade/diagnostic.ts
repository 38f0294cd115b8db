/** A complaint of TypeScript about a module's source. Lines and columns count from 1. */
export interface SourceDiagnostic {
  readonly file: string
  readonly line: number
  readonly column: number
  /** TypeScript's number, 2339. */
  readonly code: number
  readonly message: string
}
