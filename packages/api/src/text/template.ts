/** A replacement text with `$0` to `$9`, parsed once. */
export type Template = readonly (string | number)[]

/**
 * Parses a replacement: `$` and a digit is a group of the match, a backslash removes the special meaning of
 * the next character.
 */
export function compileTemplate(source: string): Template {
  const parts: (string | number)[] = []
  let literal = ''
  for (let i = 0; i < source.length; i++) {
    const character = source[i]
    const next = source.charCodeAt(i + 1)
    if (character === '$' && next >= 0x30 && next <= 0x39) {
      if (literal !== '') parts.push(literal)
      literal = ''
      parts.push(next - 0x30)
      i++
    } else if (character === '\\' && i + 1 < source.length) {
      literal += source[++i]
    } else {
      literal += character
    }
  }
  if (literal !== '') parts.push(literal)
  return parts
}

/** Inserts the groups of a match; a group that does not exist is empty. */
export function fillTemplate(template: Template, groups: readonly string[]): string {
  let text = ''
  for (const part of template) text += typeof part === 'string' ? part : (groups[part] ?? '')
  return text
}
