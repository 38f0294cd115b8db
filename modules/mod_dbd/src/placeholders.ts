import type { DatabaseStatement, DatabaseType } from '@gatewright/api'

/**
 * Reads a statement with httpd's placeholders. `%%` is a percent sign; `%` and a letter is a placeholder, whose type is
 * text unless it is one of the numbers of APR (`%d`, `%u`, `%hd`, `%hhd`, `%ld`, `%lld`, `%f`, `%lf` ...). `%pDt` and
 * the like name other types, which are bound as texts.
 *
 * A placeholder inside quotation marks or a comment is none to the database: it becomes a literal question mark, as it
 * does in httpd, and no value is bound for it.
 */
export function readStatement(label: string, source: string): DatabaseStatement & { readonly quoted: number } {
  const texts: string[] = []
  const types: DatabaseType[] = []
  let text = ''
  let quoted = 0
  const quotes = new Quotes()
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? ''
    const next = source[at + 1] ?? ''
    if (char === '%' && next === '%') {
      text += '%'
      at++
    } else if (char === '%' && /[A-Za-z]/.test(next)) {
      const { type, length } = readType(source.slice(at + 1, at + 4))
      at += length
      if (quotes.isOpen) {
        quoted++
        text += '?'
      } else {
        texts.push(text)
        types.push(type)
        text = ''
      }
    } else {
      quotes.pass(char, next)
      text += char
    }
  }
  return { label, source, texts: [...texts, text], types, quoted }
}

/** @param text what follows the percent sign @returns the number of its characters that belong to the placeholder */
function readType(text: string): { readonly type: DatabaseType; readonly length: number } {
  const number = /^(?:hh?|ll?)?[du]|^l?f/.exec(text)?.[0]
  if (number !== undefined) return { type: number.endsWith('f') ? 'number' : 'integer', length: number.length }
  return { type: 'text', length: /^pD[tidaszbcn]/.test(text) ? 3 : 1 }
}

/** Follows the quotation marks and comments of SQL. */
class Quotes {
  #open: string | null = null
  #skip = false

  get isOpen(): boolean {
    return this.#open !== null
  }

  /** @param next the character after `char` */
  pass(char: string, next: string): void {
    if (this.#skip) {
      this.#skip = false
    } else if (this.#open === null) {
      this.#open = opened(char, next)
      this.#skip = this.#open === '*/' || this.#open === '\n'
    } else if (this.#open === '*/' ? char === '*' && next === '/' : char === this.#open) {
      this.#skip = this.#open === '*/'
      this.#open = null
    }
  }
}

/** What closes that which begins here; null if nothing does. */
function opened(char: string, next: string): string | null {
  if (char === "'" || char === '"' || char === '`') return char
  if (char === '-' && next === '-') return '\n'
  return char === '/' && next === '*' ? '*/' : null
}
