/**
 * Decodes the escapes `%hh` of a text to bytes, as latin1. What is no escape stays as it is.
 * @since 2.4.6
 */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([0-9a-f]{2})/gi, (_escape, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
