/**
 * Puts a backslash before every quote that has none of its own, as httpd does with realms; a backslash that
 * escapes something is used up by it. Other backslashes stay as they are.
 */
export function escapeQuotes(text: string): string {
  if (!text.includes('"')) return text
  return text.replace(/\\[\s\S]|"/g, (part) => (part === '"' ? '\\"' : part))
}
