/** Flags B, BCTLS, BNP and BNE of a rule. */
export interface ReferenceEscaping {
  /** What is escaped: everything but letters, digits and `_`; control characters and blanks; or the characters of a list. */
  readonly escaped: 'special' | 'controls' | ReadonlySet<string>
  /** Characters that are not escaped after all. */
  readonly kept: ReadonlySet<string>
  /** How a blank is written. */
  readonly blank: '+' | '%20'
}

/** Escapes what a reference puts in, so that decoded characters do not get a meaning that they did not have. Hexadecimal digits are small. */
export function escapeReference(text: string, { escaped, kept, blank }: ReferenceEscaping): string {
  let out = ''
  for (const character of text) {
    if (!isEscaped(character, escaped) || kept.has(character)) out += character
    else if (character === ' ') out += blank
    else out += `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  }
  return out
}

function isEscaped(character: string, escaped: ReferenceEscaping['escaped']): boolean {
  if (escaped === 'special') return !/[0-9A-Za-z_]/.test(character)
  if (escaped === 'controls') return character <= ' ' || character === '\x7f'
  return escaped.has(character)
}
