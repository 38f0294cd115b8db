/** Why a tool fails: its output on standard error, and its exit status. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** The solution, for a separate line. */
  readonly hint: string | undefined

  /** @param message including its line end */
  constructor(message: string, status: number, hint?: string) {
    super(message)
    this.status = status
    this.hint = hint
  }

  /** The output on standard error. */
  get output(): string {
    return this.hint === undefined ? this.message : `${this.message}hint: ${this.hint}\n`
  }
}
