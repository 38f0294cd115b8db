/**
 * The radix-64 alphabet of crypt(3), used by MD5-crypt, sha-crypt and DES texts and by all generated salts.
 */
export const ITOA64 = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Writes the low `6 * digits` bits of `value`, least significant digit first, as MD5-crypt and sha-crypt do. */
export function itoa64(value: number, digits: number): string {
  let text = ''
  let rest = value
  for (let digit = 0; digit < digits; digit++) {
    text += ITOA64[rest & 63]
    rest >>>= 6
  }
  return text
}

/**
 * Writes a digest in itoa64. `order` lists the digest's byte numbers in the order in which the scheme reads
 * them. Each three form one 24-bit group, most significant byte first; a shorter last group gets only as many
 * digits as its bits need.
 */
export function itoa64Digest(digest: Uint8Array, order: readonly number[]): string {
  let text = ''
  for (let at = 0; at < order.length; at += 3) {
    const group = order.slice(at, at + 3)
    let value = 0
    for (const index of group) value = (value << 8) | digest[index]
    text += itoa64(value, Math.ceil((group.length * 8) / 6))
  }
  return text
}

/** True if every character belongs to the alphabet; true for an empty text. */
export function isItoa64(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (!ITOA64.includes(text[at])) return false
  }
  return true
}
