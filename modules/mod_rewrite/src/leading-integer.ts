/** The number at the start of a text, as the C library parses it; 0 if there is none. */
export function leadingInteger(text: string): number {
  const digits = /^\s*([+-]?\d+)/.exec(text)
  return digits === null ? 0 : Number(digits[1])
}
