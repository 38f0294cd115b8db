import { trimBlanks, untilNul } from './config-lines.ts'

/**
 * Splits a password or group file that arrives in parts into the same lines as {@link configLines}.
 * @since 2.4.5
 */
export class ConfigLineSplitter {
  readonly #limit: number
  /** The joined text of lines that ended with a backslash. */
  #joined = ''
  /** The beginning of a line whose end has not arrived yet. */
  #partial = ''
  #tooLong = false

  /** @param limit longest physical line in bytes; reading stops at a longer one */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** True after a line that was too long: the rest of the file is ignored. */
  get tooLong(): boolean {
    return this.#tooLong
  }

  /** The lines that end in this part. */
  *lines(part: string): Generator<string, void> {
    let at = 0
    while (!this.#tooLong) {
      const newline = part.indexOf('\n', at)
      const end = newline < 0 ? part.length : newline
      if (this.#joined.length + this.#partial.length + end - at > this.#limit) {
        this.#tooLong = true
        this.#partial = this.#joined = ''
        return
      }
      const text = this.#partial + part.slice(at, end)
      if (newline < 0) {
        this.#partial = text
        return
      }
      this.#partial = ''
      at = newline + 1
      const line = this.#complete(text.endsWith('\r') ? text.slice(0, -1) : text)
      if (line !== '' && !line.startsWith('#')) yield line
    }
  }

  /** The last line if it has no line feed. */
  *rest(): Generator<string, void> {
    const line = trimBlanks(this.#joined + untilNul(this.#partial))
    this.#partial = this.#joined = ''
    if (line !== '' && !line.startsWith('#')) yield line
  }

  /** The complete line, '' while it is incomplete. */
  #complete(written: string): string {
    const physical = untilNul(written)
    if (physical === written && physical.endsWith('\\')) {
      this.#joined += physical.slice(0, -1)
      return ''
    }
    const line = trimBlanks(this.#joined + physical)
    this.#joined = ''
    return line
  }
}
