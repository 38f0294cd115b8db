/** An escape in string text: its value and the index after it, or the error. */
export type TextEscape = { readonly text: string; readonly end: number } | { readonly error: string }

/**
 * Reads the escape whose backslash is at `start`: `\n \r \t \b \f`, or one to three octal digits; any other
 * character represents itself. All digits that follow belong to an octal escape, so `\9` and `\1234` are
 * errors.
 */
export function readTextEscape(source: string, start: number): TextEscape {
  const character = source.charAt(start + 1)
  if (character >= '0' && character <= '9') return readOctal(source, start)
  if (character === '') return { error: 'Unterminated string or variable' }
  const control = 'nrtbf'.indexOf(character)
  return { text: control < 0 ? character : '\n\r\t\b\f'.charAt(control), end: start + 2 }
}

function readOctal(source: string, start: number): TextEscape {
  let end = start + 1
  while (source.charAt(end) >= '0' && source.charAt(end) <= '9') end++
  const digits = source.slice(start + 1, end)
  if (!/^[0-7]{1,3}$/.test(digits)) return { error: 'Bad escape sequence' }
  const byte = Number.parseInt(digits, 8)
  return byte > 0xff ? { error: 'Escape sequence out of bound' } : { text: String.fromCharCode(byte), end }
}
