/** Changes of a file, line by line. Everything else is kept byte for byte. Line numbers start at 1. */
export class FileEdit {
  readonly lines: readonly string[]
  readonly #removed = new Set<number>()
  readonly #replacements = new Map<number, string>()
  readonly #insertions = new Map<number, string[]>()

  /** @param text one character for each byte */
  constructor(text: string) {
    this.lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  }

  remove(first: number, last: number): void {
    for (let line = first; line <= last; line++) this.#removed.add(line)
  }

  /** @param text without line end */
  replace(first: number, last: number, text: string): void {
    this.remove(first, last)
    this.#replacements.set(first, text)
  }

  /** @param lines without line ends */
  insertBefore(line: number, lines: readonly string[]): void {
    this.#insertions.set(line, [...(this.#insertions.get(line) ?? []), ...lines])
  }

  get text(): string {
    let text = ''
    for (let number = 1; number <= this.lines.length + 1; number++) {
      const old = this.lines[number - 1]
      const end = (old ?? this.lines[number - 2] ?? '\n').endsWith('\r\n') ? '\r\n' : '\n'
      for (const added of [...(this.#insertions.get(number) ?? []), ...this.#replacement(number)]) {
        // A last line without line end must not run into a new one.
        if (text !== '' && !text.endsWith('\n')) text += '\n'
        text += added + end
      }
      if (old !== undefined && !this.#removed.has(number)) text += old
    }
    // A file that had no line end at its end gets none.
    return this.lines.length === 0 || this.lines.at(-1)?.endsWith('\n') ? text : text.replace(/\r?\n$/, '')
  }

  /** The line of the old text that corresponds to, or follows, a line of the new one. */
  originalLine(line: number): number {
    let now = 0
    for (let number = 1; number <= this.lines.length; number++) {
      now += (this.#insertions.get(number)?.length ?? 0) + this.#replacement(number).length + (this.#removed.has(number) ? 0 : 1)
      if (now >= line) return number
    }
    return line - now + this.lines.length
  }

  #replacement(number: number): string[] {
    const text = this.#replacements.get(number)
    return text === undefined ? [] : [text]
  }
}
