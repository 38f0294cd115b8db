/** The text that replaces a match: texts, and numbers of groups. */
export type Replacement = readonly (string | number)[]

/** Reads a replacement: `$0` to `$9` are groups; a backslash takes the special meaning from the character after it. */
export function parseReplacement(text: string): Replacement {
  const parts: (string | number)[] = []
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    const next = text[at + 1]
    if (char === '$' && next !== undefined && next >= '0' && next <= '9') {
      if (plain !== '') parts.push(plain)
      plain = ''
      parts.push(Number(next))
      at++
    } else if (char === '\\' && next !== undefined) {
      plain += next
      at++
    } else plain += char
  }
  if (plain !== '') parts.push(plain)
  return parts
}

/** The text for a match, whose groups 0 to n are given; a group that the pattern does not have is empty. */
export function replacementText(replacement: Replacement, groups: readonly string[]): string {
  let text = ''
  for (const part of replacement) text += typeof part === 'string' ? part : (groups[part] ?? '')
  return text
}
