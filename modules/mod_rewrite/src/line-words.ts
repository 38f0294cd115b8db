/** The two or three arguments of a RewriteCond or RewriteRule line. */
export interface LineWords {
  readonly first: string
  readonly second: string
  readonly flags: string | null
}

/**
 * Takes a line apart. A quote at the beginning of an argument makes it end at the next such quote, else it ends at a blank; a backslash keeps a
 * blank from ending it, and stays, because it means something to patterns. null when an argument is missing.
 */
export function lineWords(text: string): LineWords | null {
  const first = wordAt(text, skipBlanks(text, 0))
  if (first.end >= text.length) return null
  const second = wordAt(text, skipBlanks(text, first.end + 1))
  const third = skipBlanks(text, second.end + 1)
  return {
    first: first.word,
    second: second.word,
    flags: third >= text.length ? null : wordAt(text, third).word,
  }
}

/** The word that begins at a place; `end` is the place of the blank or quote behind it, or behind the text. */
function wordAt(text: string, from: number): { readonly word: string; readonly end: number } {
  const quote = text[from] === '"' || text[from] === "'" ? text[from] : null
  const start = quote === null ? from : from + 1
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (quote === null ? isBlank(character) : character === quote) return { word: text.slice(start, at), end: at }
    if (character === '\\' && at + 1 < text.length && isBlank(text[at + 1])) at++
  }
  return { word: text.slice(start), end: text.length }
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text[at])) at++
  return at
}

function isBlank(character: string): boolean {
  return character === ' ' || (character >= '\t' && character <= '\r')
}
