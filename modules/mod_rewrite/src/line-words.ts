/** The two or three arguments of a RewriteCond or RewriteRule line. */
export interface LineWords {
  readonly first: string
  readonly second: string
  readonly flags: string | null
}

/**
 * Splits a line into its arguments. An argument that begins with a quote ends at the next such quote, any
 * other at a blank. A backslash before a blank prevents that; it is kept, because it has a meaning in
 * patterns. null if an argument is missing.
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

/**
 * The word that begins at an index; `end` is the index of the blank or quote after it, or the length of the
 * text.
 */
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
