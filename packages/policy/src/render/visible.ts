/**
 * The same data with control characters written as `\x1b`: the content of .htaccess files and URLs must not
 * control the user's terminal. Bytes from 0x80 are kept, because UTF-8 consists of them.
 */
export function visible<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_key, value: unknown) => (typeof value === 'string' ? escaped(value) : value))
}

function escaped(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
