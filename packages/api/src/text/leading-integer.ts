/**
 * The decimal number with which a text begins, after white space and a sign, as C's `strtol` reads it; 0 if it begins
 * with none. Text after it is ignored.
 * @returns an integer within the limits of exact numbers
 * @since 2.4.6
 */
export function leadingInteger(text: string): number {
  const digits = /^[ \t\n\v\f\r]*([+-]?\d+)/.exec(text)
  if (digits === null) return 0
  return Math.min(Math.max(Number(digits[1]), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}
