/**
 * Percent-encodes the bytes that httpd's os_escape_path encodes: all except letters, digits and
 * ``!$&'()*+,-./:;=@_~``. Lower-case hex.
 */
export function escapePath(text: string): string {
  return text.replace(/[^A-Za-z0-9!$&'()*+,\-./:;=@_~]/g, (character) => `%${hexadecimal(character)}`)
}

/**
 * Decodes percent sequences but keeps `%2f`. A malformed sequence or an encoded NUL makes the whole result
 * empty.
 */
export function unescapePath(text: string): string {
  if (/%(?![0-9A-Fa-f]{2})|%00/.test(text)) return ''
  return text.replace(/%(?!2[Ff])../g, (sequence) => String.fromCharCode(Number.parseInt(sequence.slice(1), 16)))
}

/**
 * Escapes for use in a distinguished name and in a filter: control bytes, bytes above 0x7e and
 * ``"()*+,;<>\``.
 */
export function escapeLdap(text: string): string {
  return text.replace(/[^\x20-\x7e]|["()*+,;<>\\]/g, (character) => `\\${hexadecimal(character)}`)
}

function hexadecimal(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}
