/** A request that configure cannot fulfil; `hint` says what to do instead. */
export class ConfigureError extends Error {
  override readonly name = 'ConfigureError'
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }

  /** The message for people, line by line. */
  lines(program: string): string[] {
    return [`${program}: error: ${this.message}`, `hint: ${this.hint}`]
  }
}
