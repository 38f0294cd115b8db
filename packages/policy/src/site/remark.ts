/** A remark about a line of a file. */
export interface Remark {
  readonly file: string
  readonly line: number
  readonly text: string
}
