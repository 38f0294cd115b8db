/**
 * Puts a backslash before every quote that does not have one, as httpd does with realms. A backslash applies
 * to one character only. Other backslashes are kept.
 */
export function escapeQuotes(text: string): string {
  if (!text.includes('"')) return text
  return text.replace(/\\[\s\S]|"/g, (part) => (part === '"' ? '\\"' : part))
}
