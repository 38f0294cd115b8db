import { lineText, scanLinesInSteps } from '@gatewright/config'
import { ConfigError } from '../base/config-error.ts'

/** A logical line without surrounding white space, and its position. */
export interface FedLine {
  readonly text: string
  readonly file: string
  readonly line: number
}

/** All inserted lines together may have the length of this many lines of maximum length. */
const INSERTED_LINES = 8

/**
 * The lines of one file in sequence, including comments and empty ones, and inserted lines that replace a
 * directive. Inserted lines come first. A container that they open may be closed by the file's own lines.
 */
export class LineFeed {
  readonly #sources: Iterator<FedLine | null>[]
  /** Characters that may still be inserted: macros that use macros grow exponentially. */
  #room: number

  constructor(file: string, text: string, maxLength: number) {
    this.#sources = [linesOf(file, text, maxLength)]
    this.#room = maxLength * INSERTED_LINES
  }

  /** The next line, undefined at the end of the file. @throws ConfigError if it is too long */
  next(): FedLine | undefined {
    let line = this.step()
    while (line === null) line = this.step()
    return line
  }

  /** Like `next`, for a caller that yields to others: null if more of a long line follows. */
  step(): FedLine | null | undefined {
    for (let source = this.#sources.at(-1); source !== undefined; source = this.#sources.at(-1)) {
      const next = source.next()
      if (next.done !== true) return next.value
      this.#sources.pop()
    }
    return undefined
  }

  /**
   * Inserts lines before the remaining ones. @param title the file name for messages @returns an error text
   * if the total is too long
   */
  insert(title: string, lines: readonly string[]): string | undefined {
    this.#room -= lines.reduce((sum, line) => sum + line.length + 1, 0)
    if (this.#room < 0) return 'the inserted text is too long'
    this.#sources.push(lines.map((text, index) => ({ text, file: title, line: index + 1 }))[Symbol.iterator]())
    return undefined
  }
}

function* linesOf(file: string, text: string, maxLength: number): Generator<FedLine | null> {
  for (const scanned of scanLinesInSteps(text, maxLength)) {
    if (scanned === null) {
      yield null
      continue
    }
    const { joined, line } = scanned
    if (joined.length > maxLength) throw new ConfigError('read', file, 0, `Error reading ${file} at line ${line}: Line too long`)
    yield { text: lineText(joined), file, line }
  }
}
