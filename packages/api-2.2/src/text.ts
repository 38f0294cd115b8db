/** Escapes `&`, `<`, `>` and `"`. `'` is kept, because attributes use double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Formats a time in milliseconds for header fields: `Sat, 21 Nov 2026 05:50:05 GMT`. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString()
}
