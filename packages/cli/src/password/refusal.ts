/** Why a tool fails: its output on standard error, and its exit status. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** What to do, for a line of its own. */
  readonly hint: string | undefined

  /** @param message with its line end */
  constructor(message: string, status: number, hint?: string) {
    super(message)
    this.status = status
    this.hint = hint
  }

  /** What standard error shows. */
  get output(): string {
    return this.hint === undefined ? this.message : `${this.message}hint: ${this.hint}\n`
  }
}
