/**
 * Classes of bytes, as tables of 256 entries (1 = member), so that a loop over received bytes validates while
 * it scans. Indexed by the byte, or by the code of a latin1 character.
 */

export const TAB = 9
export const LF = 10
export const CR = 13
export const SPACE = 32
export const COLON = 58
const DELETE = 127

/** `tchar` of RFC 9110 section 5.6.2: the characters of a method or a field name. */
export const TOKEN: Uint8Array = tableOf(isTokenCode)

/**
 * Bytes of a field value that need no further check (RFC 9110 section 5.5): tab, blank, visible and 8-bit
 * bytes.
 */
export const FIELD_VALUE: Uint8Array = tableOf((code) => code === TAB || (code >= SPACE && code !== DELETE))

/** Whether a text is a method or the name of a field. */
export function isToken(text: string): boolean {
  return text !== '' && hasOnly(TOKEN, text)
}

/** Whether a text can be the value of a field. */
export function isFieldValue(text: string): boolean {
  return hasOnly(FIELD_VALUE, text)
}

function hasOnly(table: Uint8Array, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (table[text.charCodeAt(i)] !== 1) return false
  return true
}

/** Visible and 8-bit bytes: the characters of a request target. */
export const VISIBLE: Uint8Array = tableOf((code) => code > SPACE && code !== DELETE)

/** White space as in C's isspace, which httpd uses to split request lines. */
export function isSpace(code: number): boolean {
  return code === SPACE || (code >= TAB && code <= CR)
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isAlpha(code: number): boolean {
  const lower = code | 32
  return lower >= 97 && lower <= 122
}

/** Whether every character of a non-empty text is a decimal digit. */
export function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (!isDigit(text.charCodeAt(i))) return false
  }
  return text.length > 0
}

function isTokenCode(code: number): boolean {
  return (
    isDigit(code) || isAlpha(code) || (code > SPACE && code < DELETE && "!#$%&'*+-.^_`|~".includes(String.fromCharCode(code)))
  )
}

function tableOf(member: (code: number) => boolean): Uint8Array {
  const table = new Uint8Array(256)
  for (let code = 0; code < 256; code++) table[code] = member(code) ? 1 : 0
  return table
}
