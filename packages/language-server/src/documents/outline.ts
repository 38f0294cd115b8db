import { scanLines } from '@gatewright/config'

/** A section with its lines, numbered from 0. */
export interface Block {
  /** Without `<`, as written. */
  readonly name: string
  readonly argument: string
  readonly start: number
  /** The line that closes it, or the last line of the file. */
  end: number
  readonly parent: Block | null
}

/** A directive of interest, with its line from 0. */
export interface Line {
  readonly name: string
  readonly argument: string
  /** The first and the last of its lines. */
  readonly line: number
  readonly lastLine: number
}

/** Longer lines are cut: nothing that an outline shows is further right. */
const LONGEST = 8192

/**
 * The sections and directives of a text that need not be balanced, or text at all. A closing line without an open
 * section is ignored; a section that is not closed ends with the one around it.
 */
export class Outline {
  readonly blocks: Block[] = []
  readonly lines: Line[] = []
  /** The innermost section from a line on, in the order of lines. */
  readonly #changes: { readonly from: number; readonly block: Block | null }[] = []

  constructor(text: string) {
    const open: Block[] = []
    const counts = new Map<string, number>()
    let last = 0
    for (const { joined, firstLine, line } of scanLines(text)) {
      last = line - 1
      const shown = joined.length > LONGEST ? joined.slice(0, LONGEST) : joined
      const [, slash, opening, name] = /^\s*(?:<(\/?)|)([A-Za-z]?)([\w-]*)/.exec(shown) ?? []
      if (opening === undefined || opening === '') continue
      const word = `${opening}${name}`
      const isTag = slash !== undefined
      if (!isTag) {
        this.lines.push({ name: word, argument: restAfter(shown, word), line: firstLine - 1, lastLine: last })
      } else if (slash === '/') {
        this.#close(open, counts, word.toLowerCase(), last)
      } else {
        const argument = restAfter(shown, word).replace(/>\s*$/, '').trim()
        const block: Block = { name: word, argument, start: firstLine - 1, end: last, parent: open.at(-1) ?? null }
        open.push(block)
        counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
        this.blocks.push(block)
        this.#changes.push({ from: last + 1, block })
      }
    }
    for (const block of open) block.end = last
  }

  /** The sections around a line, the outermost first. A section's own first line is outside, its last one inside. */
  enclosing(line: number): Block[] {
    let low = 0
    let high = this.#changes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#changes[middle].from <= line) low = middle + 1
      else high = middle
    }
    const around: Block[] = []
    for (let block = low === 0 ? null : this.#changes[low - 1].block; block !== null; block = block.parent) around.push(block)
    return around.reverse()
  }

  #close(open: Block[], counts: Map<string, number>, name: string, line: number): void {
    if ((counts.get(name) ?? 0) === 0) return
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      const key = block.name.toLowerCase()
      counts.set(key, (counts.get(key) ?? 1) - 1)
      block.end = line
      if (key === name) break
    }
    this.#changes.push({ from: line + 1, block: open.at(-1) ?? null })
  }
}

function restAfter(line: string, word: string): string {
  return line.slice(line.indexOf(word) + word.length).trim()
}
