/**
 * True when a word of `Require host`, `Allow from` or `Deny from` covers a host name: it is the name, or the
 * end of it at a label's border. The name is lower-case; the word's case does not matter.
 */
export function coversName(word: string, name: string): boolean {
  const wanted = word.toLowerCase()
  if (!name.endsWith(wanted)) return false
  const border = name.length - wanted.length
  return border === 0 || wanted.startsWith('.') || name[border - 1] === '.'
}
