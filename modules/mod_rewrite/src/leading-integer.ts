/** The number that a text begins with, 0 if none, as the C library reads it. */
export function leadingInteger(text: string): number {
  const digits = /^\s*([+-]?\d+)/.exec(text)
  return digits === null ? 0 : Number(digits[1])
}
