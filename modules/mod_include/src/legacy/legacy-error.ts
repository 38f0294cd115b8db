/** A mistake in an expression of the legacy parser, with the code of httpd's message. */
export class LegacyError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
