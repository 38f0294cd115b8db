/** What a line of a type map is: a field (without a name when it has no colon), the blank line behind a block, or the end. */
export type MapLine =
  | { readonly kind: 'field'; readonly name: string | null; readonly text: string }
  | { readonly kind: 'blank' }
  | { readonly kind: 'end' }

const BLANK: MapLine = { kind: 'blank' }
const END: MapLine = { kind: 'end' }

/** The lines of a type map. A line that begins with a blank goes on with the one before, one that begins with # is a comment. */
export class MapLines {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  next(): MapLine {
    let line = this.line()
    while (line?.startsWith('#') === true) line = this.line()
    if (line === null) return END
    if (line.trim() === '') return BLANK
    // What follows a Body line is content.
    if (!/^body:/i.test(line)) line += this.continuation()
    const colon = line.indexOf(':')
    if (colon < 0) return { kind: 'field', name: null, text: line.trim() }
    return { kind: 'field', name: line.slice(0, colon).trim().toLowerCase(), text: line.slice(colon + 1).trim() }
  }

  /** Everything up to the next occurrence of a tag; null when there is none. What is behind the tag in its line is dropped. */
  body(tag: string): string | null {
    const end = tag === '' ? -1 : this.text.indexOf(tag, this.at)
    if (end < 0) return null
    const body = this.text.slice(this.at, end)
    const newline = this.text.indexOf('\n', end + tag.length)
    this.at = newline < 0 ? this.text.length : newline + 1
    return body
  }

  private continuation(): string {
    let more = ''
    for (;;) {
      const before = this.at
      const line = this.line()
      if (line === null) return more
      if (line.startsWith('#')) continue
      if (/^\s/.test(line) && line.trim() !== '') {
        more += `\n${line.trimStart()}`
        continue
      }
      this.at = before
      return more
    }
  }

  private line(): string | null {
    if (this.at >= this.text.length) return null
    const newline = this.text.indexOf('\n', this.at)
    const end = newline < 0 ? this.text.length : newline
    const line = this.text.slice(this.at, end)
    this.at = end + 1
    return line
  }
}
