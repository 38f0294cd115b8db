/** Flags B, BCTLS, BNP and BNE of a rule. */
export interface ReferenceEscaping {
  /** Which characters are escaped. Letters, digits and `_` never are. */
  readonly escaped: 'all' | EscapedCharacters
  /** Characters that are exempt from escaping. */
  readonly kept: ReadonlySet<string>
  /** How a blank is escaped. */
  readonly blank: '+' | '%20'
}

export interface EscapedCharacters {
  readonly listed: ReadonlySet<string>
  /** Whether control characters and blanks are escaped too. */
  readonly controls: boolean
}

/**
 * Escapes the value of a reference, so that decoded characters do not gain a special meaning. Hexadecimal
 * digits are lower case.
 */
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
