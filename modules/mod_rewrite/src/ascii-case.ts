/** ASCII letters made small, as the C library does; other bytes may be parts of characters. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** ASCII letters made capital. */
export function upperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}
