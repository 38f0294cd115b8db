/** Why bytes or a text could not be parsed. It is a value, not an exception: bytes from clients are often malformed. */
export interface Malformed {
  /** One phrase for messages, without the bytes. */
  readonly malformed: string
  /** Where in the input, in bytes. */
  readonly offset: number
}

/** Distinguishes the two results of a parser of this package. */
export function isMalformed(result: object): result is Malformed {
  return 'malformed' in result
}

/** What parsers throw inside this package; `orMalformed` turns it into a value at each entry. */
export class MalformedError extends Error {
  /** Where in the input, in bytes. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Runs a parser, and turns its MalformedError into a value. */
export function orMalformed<T extends object>(parse: () => T): T | Malformed {
  try {
    return parse()
  } catch (error) {
    if (error instanceof MalformedError) return { malformed: error.message, offset: error.offset }
    throw error
  }
}
