/**
 * Whether a word of `Require host`, `Allow from` or `Deny from` covers a host name: it is the name, or its
 * end at a label boundary. The name must be lower-case; the word may have any case.
 */
export function coversName(word: string, name: string): boolean {
  const wanted = word.toLowerCase()
  if (!name.endsWith(wanted)) return false
  const border = name.length - wanted.length
  return border === 0 || wanted.startsWith('.') || name[border - 1] === '.'
}
