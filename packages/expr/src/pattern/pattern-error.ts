/**
 * Why a pattern cannot be used. `syntax`: PCRE refuses it as well. `unsupported`: PCRE would take it, the translation
 * cannot keep its meaning; the message names the construct.
 */
export class PatternError {
  readonly message: string
  /** Index in the pattern's text where the problem was seen. */
  readonly offset: number
  readonly reason: 'syntax' | 'unsupported'

  constructor(message: string, offset: number, reason: 'syntax' | 'unsupported') {
    this.message = message
    this.offset = offset
    this.reason = reason
  }
}

/** Carries a PatternError out of the parser; compilePattern turns it back into a value. */
export class PatternRefusal extends Error {
  readonly refused: PatternError

  constructor(refused: PatternError) {
    super(refused.message)
    this.refused = refused
  }
}
