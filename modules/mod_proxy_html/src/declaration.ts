/** Index after a comment whose text begins at an index, and the end of that text; null if it has not ended. */
export function commentEnd(text: string, start: number): { readonly end: number; readonly next: number } | null {
  COMMENT_END.lastIndex = start
  const found = COMMENT_END.exec(text)
  return found === null ? null : { end: found.index, next: found.index + found[0].length }
}

const COMMENT_END = /--!?>/g

/** Index after the document type that begins at an index; null if it has not ended. Quoted names may contain `>`. */
export function doctypeEnd(text: string, index: number): number | null {
  const end = text.indexOf('>', index)
  if (end < 0) return null
  if (!EXTERNAL.test(text.slice(index, end))) return end + 1
  let quote = ''
  for (let at = index; at < text.length; at++) {
    const char = text[at]
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '>') return at + 1
    else if (char === '"' || char === "'") quote = char
  }
  return null
}

/** The beginning of a document type that names a file of its rules. */
const EXTERNAL = /^<!doctype\s+\S+\s+(?:public|system)/i

/**
 * Index after the processing instruction that begins at an index with `<?`; only those two characters are read if no name
 * follows.
 * @returns null if it has not ended
 */
export function instructionEnd(text: string, index: number): number | null {
  if (index + 2 >= text.length) return null
  if (!/[A-Za-z_:\x80-\xff]/.test(text[index + 2])) return index + 2
  const end = text.indexOf('>', index + 2)
  return end < 0 ? null : end + 1
}
