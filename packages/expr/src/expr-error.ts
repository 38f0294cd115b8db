/** Why an expression cannot be used; a value, not thrown. */
export class ExprSyntaxError {
  /** httpd's text, to be put behind `Cannot parse condition clause: ` and the like. */
  readonly message: string
  /** What was meant by it, where httpd's text says too little: the problem of a regular expression. */
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    this.message = message
    this.hint = hint
  }
}

/**
 * Thrown while an expression is evaluated: a file that cannot be read, functions nested too deeply. The request must not
 * be let in.
 */
export class ExprRuntimeError extends Error {
  override readonly name = 'ExprRuntimeError'
}
