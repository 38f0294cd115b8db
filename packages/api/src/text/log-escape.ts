/**
 * Escapes untrusted bytes for the access log: `\"`, `\\`, `\n \t \r \b \v`, every other control character,
 * 0x7F and byte above it as `\xhh` in lower case. Takes a byte string (one character, one byte); a character
 * above 0xFF is written as its UTF-8 bytes, so that nothing can turn into a line feed when the line is
 * encoded.
 */
export function escapeLogItem(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return escapeFrom(text, i, ACCESS_LOG)
  }
  return text
}

/** Like `escapeLogItem`, for the error log, where `"` is not escaped. */
export function escapeErrorLogItem(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e || code === 0x5c) return escapeFrom(text, i, ERROR_LOG)
  }
  return text
}

const ACCESS_LOG: readonly string[] = buildTable()
const ERROR_LOG: readonly string[] = ACCESS_LOG.with(0x22, '"')

function buildTable(): string[] {
  const named: Record<string, string> = {
    '"': '\\"',
    '\\': '\\\\',
    '\n': '\\n',
    '\t': '\\t',
    '\r': '\\r',
    '\b': '\\b',
    '\v': '\\v',
  }
  const table: string[] = []
  for (let code = 0; code < 256; code++) {
    const character = String.fromCharCode(code)
    const printable = code >= 0x20 && code < 0x7f
    table.push(named[character] ?? (printable ? character : `\\x${code.toString(16).padStart(2, '0')}`))
  }
  return table
}

function escapeFrom(text: string, start: number, table: readonly string[]): string {
  let escaped = text.slice(0, start)
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0xff) return escaped + escapeBytes(Buffer.from(text.slice(i), 'utf8'), table)
    escaped += table[code]
  }
  return escaped
}

function escapeBytes(bytes: Buffer, table: readonly string[]): string {
  let escaped = ''
  for (const byte of bytes) escaped += table[byte]
  return escaped
}
