/**
 * Whether every character of a text represents one byte, because none is above U+00FF. Such a text can be
 * sent and written unchanged. Fast if the result is true, regardless of the length.
 * @since 2.4.5
 */
export function isByteText(text: string): boolean {
  // V8 stores texts of bytes separately: for them this pattern fails at once, without examining the
  // characters.
  return !WIDE.test(text)
}

/**
 * The UTF-8 form of a text, one character per byte, with which a field, cookie or note can contain characters
 * above U+00FF. Half of a surrogate pair becomes U+FFFD.
 * @since 2.4.5
 */
export function utf8Bytes(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

/**
 * Rejects a text with a character above U+00FF, and reports its position.
 * @param what the subject of the message: `the value of X-Name`
 * @param advice the solution, for the author of the text
 * @throws TypeError unless {@link isByteText} is true for the text
 * @since 2.4.5
 */
export function requireByteText(what: string, text: string, advice: string = ENCODE): void {
  const at = String(text).search(WIDE)
  if (at < 0) return
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
  throw new TypeError(`${what} has a character that is not one byte, U+${code} at position ${at}: ${advice}`)
}

const WIDE = /[\u0100-\uffff]/
const ASCII = /^[\0-\x7f]*$/
const ENCODE = 'encode it first, with utf8Bytes or encodeURIComponent'
