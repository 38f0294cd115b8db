/**
 * True if a value is one of the comma-separated items of a list, exactly as written there: blanks before an
 * item are ignored, blanks after it are significant; a comma in quotes does not separate; a backslash has no
 * special meaning. A comma at the end of the list has no item after it.
 */
export function isListed(value: string, list: string): boolean {
  let at = 0
  while (at < list.length) {
    while (isBlank(list.charCodeAt(at))) at++
    const start = at
    while (at < list.length && list.charCodeAt(at) !== COMMA) at = list.charCodeAt(at) === QUOTE ? afterQuotes(list, at) : at + 1
    if (at - start === value.length && list.startsWith(value, start)) return true
    at++
  }
  return false
}

const COMMA = 0x2c
const QUOTE = 0x22

/** Blank, tab, line feed, vertical tab, form feed and carriage return. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

/** Unclosed quotes extend to the end. */
function afterQuotes(list: string, at: number): number {
  const end = list.indexOf('"', at + 1)
  return end < 0 ? list.length : end + 1
}
