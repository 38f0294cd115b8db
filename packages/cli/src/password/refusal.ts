/** Why a tool fails: its output on standard error, and its exit status. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  /** @param message with its line end */
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}
