import { lineText, scanLinesInSteps } from '@gatewright/config'
import { ConfigError } from '../base/config-error.ts'

/** A logical line, white space at its ends cut, and where it stands. */
export interface FedLine {
  readonly text: string
  readonly file: string
  readonly line: number
}

/** All lines that are put in may have the length of this many of the longest allowed. */
const INSERTED_LINES = 8

/**
 * The lines of one file, one after the other, comments and empty ones included; and, in the middle of them,
 * lines that a directive puts in its place. Those come first, and their end is no end: what they open may be
 * closed by the file's own lines.
 */
export class LineFeed {
  readonly #sources: Iterator<FedLine | null>[]
  /** Characters that may still be put in: macros that use macros grow exponentially. */
  #room: number

  constructor(file: string, text: string, maxLength: number) {
    this.#sources = [linesOf(file, text, maxLength)]
    this.#room = maxLength * INSERTED_LINES
  }

  /** The next line, undefined at the end of the file. @throws ConfigError when it is too long */
  next(): FedLine | undefined {
    let line = this.step()
    while (line === null) line = this.step()
    return line
  }

  /** The same for a caller that gives way to others: null when there is more of a long line to come. */
  step(): FedLine | null | undefined {
    for (let source = this.#sources.at(-1); source !== undefined; source = this.#sources.at(-1)) {
      const next = source.next()
      if (next.done !== true) return next.value
      this.#sources.pop()
    }
    return undefined
  }

  /**
   * Puts lines in front of what is left. @param title what they say their file is @returns an error text when
   * it is too much
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
