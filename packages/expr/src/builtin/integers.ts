const LARGEST = 2n ** 63n - 1n
const SMALLEST = -(2n ** 63n)

/** A double may not represent more digits than this exactly. */
const SAFE_DIGITS = 15

/**
 * The number at the start of a text. Leading blanks and one sign are allowed, text after the decimal digits
 * is ignored, and no digits mean 0. A value outside signed 64 bits becomes the nearest one inside. Returns a
 * bigint only if a number would not be exact; `<` and `>` compare both kinds exactly.
 */
export function leadingInteger(text: string): number | bigint {
  let at = 0
  while (isBlank(text.charCodeAt(at))) at++
  const negative = text.charCodeAt(at) === 0x2d
  if (negative || text.charCodeAt(at) === 0x2b) at++
  const start = at
  let value = 0
  for (let digit = text.charCodeAt(at) - 0x30; digit >= 0 && digit <= 9; digit = text.charCodeAt(at) - 0x30) {
    value = value * 10 + digit
    at++
  }
  if (at - start <= SAFE_DIGITS) return negative ? -value : value
  const exact = BigInt((negative ? '-' : '') + text.slice(start, at))
  return exact > LARGEST ? LARGEST : exact < SMALLEST ? SMALLEST : exact
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
