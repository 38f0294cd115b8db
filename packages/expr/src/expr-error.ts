/** Why an expression cannot be used; a value, not thrown. */
export class ExprSyntaxError {
  /** httpd's text, to be appended to `Cannot parse condition clause: ` and similar prefixes. */
  readonly message: string
  /** Additional explanation if httpd's text is too short: the error in a regular expression. */
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    this.message = message
    this.hint = hint
  }
}

/**
 * Thrown while an expression is evaluated, for example if a file cannot be read or functions are nested too
 * deeply. The request must be denied.
 */
export class ExprRuntimeError extends Error {
  override readonly name = 'ExprRuntimeError'
}
