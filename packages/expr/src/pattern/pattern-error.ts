/**
 * Why a pattern cannot be used. `syntax`: PCRE also rejects it. `unsupported`: PCRE accepts it, but the
 * translation cannot preserve its meaning; the message names the construct.
 */
export class PatternError {
  readonly message: string
  /** Index in the pattern's text at which the error was found. */
  readonly offset: number
  readonly reason: 'syntax' | 'unsupported'

  constructor(message: string, offset: number, reason: 'syntax' | 'unsupported') {
    this.message = message
    this.offset = offset
    this.reason = reason
  }
}

/** Carries a PatternError out of the parser; compilePattern converts it back to a value. */
export class PatternRefusal extends Error {
  readonly refused: PatternError

  constructor(refused: PatternError) {
    super(refused.message)
    this.refused = refused
  }
}
