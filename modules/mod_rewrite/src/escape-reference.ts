/** Flags B, BCTLS, BNP and BNE of a rule. */
export interface ReferenceEscaping {
  /** What is escaped of all but letters, digits and `_`, which never are. */
  readonly escaped: 'all' | EscapedCharacters
  /** Characters that are not escaped after all. */
  readonly kept: ReadonlySet<string>
  /** How a blank is written. */
  readonly blank: '+' | '%20'
}

export interface EscapedCharacters {
  readonly listed: ReadonlySet<string>
  /** Control characters and blanks as well. */
  readonly controls: boolean
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
  if (/[0-9A-Za-z_]/.test(character)) return false
  if (escaped === 'all') return true
  return escaped.listed.has(character) || (escaped.controls && (character <= ' ' || character === '\x7f'))
}
