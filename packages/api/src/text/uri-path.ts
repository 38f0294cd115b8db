/**
 * Percent-encodes a path for `Location` headers and absolute links as httpd escapes an operating-system path:
 * letters, digits and `$-_.+!*'(),:;@&=/~` are kept, every other byte becomes `%hh` in lower case. Takes a
 * byte string; a character above 0xFF is written as its UTF-8 bytes.
 */
export function escapeUriPath(path: string): string {
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i)
    if (code > 0xff || ENCODED[code] !== '') return encodeFrom(path, i)
  }
  return path
}

/**
 * Like `escapeUriPath`, for a relative reference. If its first segment contains `:`, `./` is put before it,
 * so that the segment is not read as a scheme (RFC 3986 section 4.2).
 */
export function escapeRelativeUri(path: string): string {
  const colon = path.indexOf(':')
  if (colon === -1) return escapeUriPath(path)
  const slash = path.indexOf('/')
  return slash === -1 || colon < slash ? `./${escapeUriPath(path)}` : escapeUriPath(path)
}

const PLAIN = "$-_.+!*'(),:;@&=/~"

/** The percent form of each byte, or the empty string if the byte is kept. */
const ENCODED: readonly string[] = Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /^[0-9A-Za-z]$/.test(character) || PLAIN.includes(character) ? '' : `%${code.toString(16).padStart(2, '0')}`
})

function encodeFrom(path: string, start: number): string {
  let encoded = path.slice(0, start)
  for (let i = start; i < path.length; i++) {
    const code = path.charCodeAt(i)
    if (code > 0xff) return encoded + encodeBytes(Buffer.from(path.slice(i), 'utf8'))
    encoded += ENCODED[code] || path.charAt(i)
  }
  return encoded
}

function encodeBytes(bytes: Buffer): string {
  let encoded = ''
  for (const byte of bytes) encoded += ENCODED[byte] || String.fromCharCode(byte)
  return encoded
}
