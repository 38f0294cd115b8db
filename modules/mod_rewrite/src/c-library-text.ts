/** The number at the start of a text, as the C library parses it; 0 if there is none. */
export function leadingInteger(text: string): number {
  const digits = /^\s*([+-]?\d+)/.exec(text)
  return digits === null ? 0 : Number(digits[1])
}

/** Converts ASCII letters to lower case, as the C library does; other bytes may be parts of characters. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Converts ASCII letters to upper case. */
export function upperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}
