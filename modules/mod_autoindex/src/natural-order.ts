/**
 * Compares texts so that numbers in them are ordered by value: `f-9` before `f-10`. A number that begins with
 * 0 is compared digit by digit, like a fraction. White space before a character is ignored. 0 if the texts
 * are equal in this order.
 */
export function naturalOrder(a: string, b: string, letters: 'as-they-are' | 'folded'): number {
  const one = letters === 'folded' ? toUpperAscii(a) : a
  const other = letters === 'folded' ? toUpperAscii(b) : b
  let i = 0
  let j = 0
  for (;;) {
    while (isSpace(one.charCodeAt(i))) i++
    while (isSpace(other.charCodeAt(j))) j++
    const x = codeAt(one, i)
    const y = codeAt(other, j)
    if (isDigit(x) && isDigit(y)) {
      const difference = x === ZERO || y === ZERO ? compareFraction(one, i, other, j) : compareNumber(one, i, other, j)
      if (difference !== 0) return difference
    }
    if (x === 0 && y === 0) return 0
    if (x !== y) return x < y ? -1 : 1
    i++
    j++
  }
}

const ZERO = 0x30

/**
 * The longer sequence of digits is the greater number; if both have the same length, the first difference
 * decides.
 */
function compareNumber(a: string, i: number, b: string, j: number): number {
  let first = 0
  for (let k = 0; ; k++) {
    const x = codeAt(a, i + k)
    const y = codeAt(b, j + k)
    if (!isDigit(x)) return isDigit(y) ? -1 : first
    if (!isDigit(y)) return 1
    if (first === 0 && x !== y) first = x < y ? -1 : 1
  }
}

function compareFraction(a: string, i: number, b: string, j: number): number {
  for (let k = 0; ; k++) {
    const x = codeAt(a, i + k)
    const y = codeAt(b, j + k)
    if (!isDigit(x)) return isDigit(y) ? -1 : 0
    if (!isDigit(y)) return 1
    if (x !== y) return x < y ? -1 : 1
  }
}

/** 0 after the end. As in httpd, bytes above 0x7f are negative, so names in other scripts come first. */
function codeAt(text: string, index: number): number {
  if (index >= text.length) return 0
  const code = text.charCodeAt(index)
  return code > 0x7f ? code - 0x100 : code
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 0x39
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

/** Only ASCII letters, because other bytes belong to characters of unknown encoding. */
function toUpperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (run) => run.toUpperCase())
}
