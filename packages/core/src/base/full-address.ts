/**
 * Parses an IPv4 address in the forms of C's `inet_aton`: four numbers or fewer, the last of which fills the
 * remaining bytes; each decimal, octal (`010`) or hexadecimal (`0x10`). Undefined for anything else.
 */
export function fullAddress(text: string): string | undefined {
  const numbers = text.split('.').map(numberOf)
  const last = numbers.pop() ?? Number.NaN
  if (numbers.length > 3 || numbers.some((number) => !(number <= 255)) || !(last < 256 ** (4 - numbers.length))) return undefined
  for (let place = 3 - numbers.length; place >= 0; place--) numbers.push(Math.floor(last / 256 ** place) % 256)
  return numbers.join('.')
}

function numberOf(digits: string): number {
  if (/^0[xX][0-9a-fA-F]+$/.test(digits)) return Number.parseInt(digits, 16)
  if (/^0[0-7]*$/.test(digits)) return Number.parseInt(digits, 8)
  return /^[1-9][0-9]*$/.test(digits) ? Number(digits) : Number.NaN
}
