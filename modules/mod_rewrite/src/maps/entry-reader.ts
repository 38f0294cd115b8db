import type { TextReader } from '@gatewright/api'

/** Values by key. */
export type Entries = ReadonlyMap<string, string>

/**
 * Reads a text map, completely or for some keys. A line consists of a key, blanks, and a value up to the next
 * blank; comments begin with `#`. The first line of a key counts.
 */
export class EntryReader implements TextReader<Entries> {
  readonly #keys: ReadonlySet<string> | null
  readonly #values = new Map<string, string>()
  /** The beginning of an incomplete line. */
  #partial = ''

  /** @param keys the keys whose values are collected; null for all */
  constructor(keys: ReadonlySet<string> | null) {
    this.#keys = keys
  }

  get entries(): number {
    return this.#values.size
  }

  *read(part: string): Generator<undefined, boolean> {
    let at = 0
    for (;;) {
      const newline = part.indexOf('\n', at)
      if (newline < 0) break
      this.#take(this.#partial + part.slice(at, newline))
      this.#partial = ''
      at = newline + 1
      yield
    }
    // Anything beyond the longest useful line is dropped.
    if (this.#partial.length < LONGEST_LINE) this.#partial += part.slice(at)
    return true
  }

  *finish(): Generator<undefined, Entries> {
    this.#take(this.#partial)
    yield
    return this.#values
  }

  #take(line: string): void {
    if (line.startsWith('#') || isBlank(line.charCodeAt(0))) return
    const keyEnd = endOfWord(line, 0)
    const key = line.slice(0, keyEnd)
    if (key === '' || this.#keys?.has(key) === false || this.#values.has(key)) return
    let start = keyEnd
    while (start < line.length && isBlank(line.charCodeAt(start))) start++
    const value = line.slice(start, endOfWord(line, start))
    if (value !== '') this.#values.set(key, value)
  }
}

/** Characters of a line that are examined. */
const LONGEST_LINE = 1024 * 1024

function endOfWord(line: string, from: number): number {
  let at = from
  while (at < line.length && !isBlank(line.charCodeAt(at))) at++
  return at
}

/** C's isspace: no other characters are white space. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
