/**
 * Splits a line of an expectations file into words, up to a comment: separated by blanks, or in quotes, in
 * which `\"` and `\\` represent the characters themselves.
 * @returns an error message if the line cannot be split
 */
export function expectationWords(line: string): readonly string[] | string {
  const words: string[] = []
  const pattern = /[ \t]*(?:(#.*$)|"((?:[^"\\]|\\.)*)"(?=[ \t]|$)|([^\s"][^\s]*)|$)/y
  while (pattern.lastIndex < line.length) {
    const found = pattern.exec(line)
    if (found === null) return 'an unmatched quotation mark'
    const [, comment, inQuotes, bare] = found
    if (comment !== undefined) break
    if (inQuotes !== undefined) words.push(inQuotes.replace(/\\(.)/g, '$1'))
    else if (bare !== undefined) words.push(bare)
  }
  return words
}
