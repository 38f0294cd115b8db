/** Escapes `&`, `<`, `>` and `"`. `'` stays: attributes are written in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A time in milliseconds as header fields have it: `Sat, 21 Nov 2026 05:50:05 GMT`. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString()
}
