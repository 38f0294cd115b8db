import { randomBytes } from 'node:crypto'

/** A hexadecimal number without leading zeros, not 0. */
const OPAQUE = /^[1-9a-f][0-9a-f]{0,15}$/i

export function isOpaque(text: string): boolean {
  return OPAQUE.test(text)
}

export function newOpaque(): string {
  const bytes = randomBytes(8)
  // The first digit is not 0, so that the number has its full length.
  bytes[0] |= 0x10
  return bytes.toString('hex')
}
