import { ExprSyntaxError } from '../expr-error.ts'

/** Carries an ExprSyntaxError out of the parser, where it is converted back to a value. */
export class ExprRefusal extends Error {
  readonly refused: ExprSyntaxError

  constructor(message: string, hint?: string) {
    super(message)
    this.refused = new ExprSyntaxError(message, hint)
  }
}
