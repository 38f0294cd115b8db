/**
 * The same data with control characters written as `\x1b`: what .htaccess files and URLs hold must not talk to the terminal of whoever asks.
 * Bytes from 0x80 stay, of which UTF-8 is made.
 */
export function visible<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_key, value: unknown) => (typeof value === 'string' ? escaped(value) : value))
}

function escaped(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
