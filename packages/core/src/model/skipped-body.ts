/** What a false condition (`<IfModule>`, `<IfVersion>`, `<IfDefine>` ...) kept from being read. */
export interface SkippedBody {
  /** The line that opens it, as written. */
  readonly title: string
  readonly file: string
  readonly line: number
  /** The section around it, null at the top of a file. */
  readonly parent: { readonly file: string; readonly line: number } | null
  /** First words of its lines, each once, in their order. */
  readonly names: ReadonlySet<string>
}
