/** The words of a line before a position, and the word that is being written. */
export interface WordsBefore {
  readonly words: readonly string[]
  /** The word up to the position, without an opening quote. */
  readonly partial: string
  /** Where it begins, after an opening quote. */
  readonly start: number
}

/** Splits the text of a line before a position; quotes need not be closed. */
export function wordsBefore(text: string): WordsBefore {
  const words: string[] = []
  let at = 0
  for (;;) {
    while (at < text.length && /\s/.test(text[at])) at++
    const quote = text[at] === '"' || text[at] === "'" ? text[at] : ''
    const start = at + quote.length
    let end = start
    while (end < text.length && (quote === '' ? !/\s/.test(text[end]) : text[end] !== quote)) end += text[end] === '\\' ? 2 : 1
    if (end >= text.length) return { words, partial: text.slice(start), start }
    words.push(text.slice(start, end))
    at = end + quote.length
  }
}

/** The word around a position of a line, without quotes, or null between words. */
export function wordAt(
  text: string,
  character: number,
): { readonly word: string; readonly index: number; readonly start: number } | null {
  const matches = text.matchAll(/"((?:\\.|[^"\\])*)"?|'((?:\\.|[^'\\])*)'?|(\S+)/g)
  let index = 0
  for (const match of matches) {
    const start = match.index
    const end = start + match[0].length
    if (start <= character && character <= end) {
      const word = match[1] ?? match[2] ?? match[3] ?? ''
      return { word: match[1] !== undefined || match[2] !== undefined ? word : word.replace(/>$/, ''), index, start }
    }
    if (start > character) return null
    index++
  }
  return null
}
