/** Something that was asked of configure and cannot be done; `hint` says what to do instead. */
export class ConfigureError extends Error {
  override readonly name = 'ConfigureError'
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }

  /** What a person is shown, line by line. */
  lines(program: string): string[] {
    return [`${program}: error: ${this.message}`, `hint: ${this.hint}`]
  }
}
