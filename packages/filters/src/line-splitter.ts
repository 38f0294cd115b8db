/** A line is longer than the limit of a {@link LineSplitter}. */
export class LineTooLong extends Error {
  /** Identifies the class. */
  override readonly name = 'LineTooLong'
}

/** Splits text that arrives in pieces into lines, each with its line feed. Texts have one character per byte. */
export class LineSplitter {
  readonly #limit: number
  #parts: string[] = []
  #length = 0

  /** @param limit the longest line in bytes, with its line feed */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The lines that end in a piece. @throws LineTooLong also for a line that has not ended */
  *push(piece: Uint8Array): Generator<string> {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1')
    let from = 0
    for (;;) {
      const feed = text.indexOf('\n', from)
      if (feed < 0) break
      const end = text.slice(from, feed + 1)
      from = feed + 1
      this.#check(this.#length + end.length)
      if (this.#parts.length === 0) yield end
      else {
        this.#parts.push(end)
        yield this.#take()
      }
    }
    if (from === text.length) return
    this.#length += text.length - from
    this.#check(this.#length)
    this.#parts.push(text.slice(from))
  }

  /** What follows the last line feed; '' for nothing. */
  end(): string {
    return this.#take()
  }

  #take(): string {
    const line = this.#parts.length === 1 ? this.#parts[0] : this.#parts.join('')
    this.#parts = []
    this.#length = 0
    return line
  }

  #check(length: number): void {
    if (length > this.#limit) throw new LineTooLong(`a line is longer than ${this.#limit} bytes`)
  }
}

/** Distinguishes {@link LineTooLong} from other errors. */
export function isLineTooLong(error: unknown): error is LineTooLong {
  return error instanceof Error && error.name === 'LineTooLong'
}
