/** The body of a false condition (`<IfModule>`, `<IfVersion>`, `<IfDefine>` ...), which was not read. */
export interface SkippedBody {
  /** The line that opens the condition, as written. */
  readonly title: string
  readonly file: string
  readonly line: number
  /** The enclosing section, null at the top of a file. */
  readonly parent: { readonly file: string; readonly line: number } | null
  /** The first words of its lines, without duplicates, in order. */
  readonly names: ReadonlySet<string>
}
