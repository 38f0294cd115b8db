/** Why htdbm fails: its output on standard error, lines with their ends, and its exit status. */
export class HtdbmFailure extends Error {
  readonly status: number

  constructor(status: number, lines: string) {
    super(lines)
    this.name = 'HtdbmFailure'
    this.status = status
  }
}
