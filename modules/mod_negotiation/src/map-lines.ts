/**
 * A line of a type map: a field (if it has no colon, without a name and as written), the blank line after a
 * block, or the end.
 */
export type MapLine =
  | { readonly kind: 'field'; readonly name: string | null; readonly text: string }
  | { readonly kind: 'blank' }
  | { readonly kind: 'end' }

/** httpd's line buffer, in bytes. The rest of a longer line becomes the next line. */
const LONGEST = 8191

/** Cost of a line, in microseconds. */
const STEPS_OF_A_LINE = 2

const BLANK: MapLine = { kind: 'blank' }
const END: MapLine = { kind: 'end' }

/**
 * The lines of a type map. A line that begins with a blank continues the preceding line; one that begins with
 * # is a comment.
 */
export class MapLines {
  readonly #text: string
  #at = 0
  /** The line break that ended the last line; '' if there was none. */
  #lineBreak = ''

  constructor(text: string) {
    this.#text = text
  }

  /** Reads the next line, in steps for `inTurns`, because any number of comments may precede it. */
  *next(): Generator<number, MapLine> {
    let line: string | null
    do {
      yield STEPS_OF_A_LINE
      line = this.#line()
    } while (line?.startsWith('#') === true)
    if (line === null) return END
    if (line.trim() === '') return BLANK
    line += this.#lineBreak
    // The lines after a Body line are content, not continuations.
    if (!/^body:/i.test(line)) line += yield* this.#continuation()
    const colon = line.indexOf(':')
    if (colon < 0) return { kind: 'field', name: null, text: line }
    return { kind: 'field', name: line.slice(0, colon).trim().toLowerCase(), text: line.slice(colon + 1).trim() }
  }

  /**
   * The text up to the next occurrence of a tag, or null if there is none. The rest of the tag's line is
   * dropped.
   */
  body(tag: string): string | null {
    const end = tag === '' ? -1 : this.#text.indexOf(tag, this.#at)
    if (end < 0) return null
    const body = this.#text.slice(this.#at, end)
    const newline = this.#text.indexOf('\n', end + tag.length)
    this.#at = newline < 0 ? this.#text.length : newline + 1
    return body
  }

  *#continuation(): Generator<number, string> {
    let more = ''
    while (more.length < LONGEST) {
      yield STEPS_OF_A_LINE
      const before = this.#at
      const line = this.#line()
      if (line === null) return more
      if (line.startsWith('#')) continue
      if (/^\s/.test(line) && line.trim() !== '') {
        more += `${line.trimStart()}\n`
        continue
      }
      this.#at = before
      break
    }
    return more
  }

  #line(): string | null {
    if (this.#at >= this.#text.length) return null
    const part = this.#text.slice(this.#at, this.#at + LONGEST)
    const newline = part.indexOf('\n')
    this.#at += newline < 0 ? part.length : newline + 1
    const line = newline < 0 ? part : part.slice(0, newline)
    // As in httpd, a null byte ends the text of a line.
    const zero = line.indexOf('\0')
    this.#lineBreak = newline < 0 || zero >= 0 ? '' : '\n'
    return zero < 0 ? line : line.slice(0, zero)
  }
}
