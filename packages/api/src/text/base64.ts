/**
 * Decodes Basic credentials as httpd does: up to the first character outside `A-Za-z0-9+/`. Padding is
 * neither needed nor checked, and a single left-over character is dropped. Never fails; invalid input gives a
 * short or empty result.
 */
export function decodeBase64Lenient(text: string): Buffer {
  let end = 0
  while (end < text.length && isBase64Digit(text.charCodeAt(end))) end++
  return Buffer.from(text.slice(0, end), 'base64')
}

function isBase64Digit(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2b ||
    code === 0x2f
  )
}
