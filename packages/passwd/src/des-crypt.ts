import { desRepeated } from './des.ts'
import { ITOA64 } from './itoa64.ts'

/** Characters of the salt, each of which encodes six bits. */
export const DES_SALT_LENGTH = 2

/**
 * The 13-character text of traditional crypt(3): the salt, then eight zero bytes encrypted with the password
 * as key. Only the low seven bits of the password's first eight bytes count.
 *
 * @param salt two characters of `./0-9A-Za-z`, checked by the caller
 */
export function desCrypt(salt: string, password: Uint8Array): string {
  const key = new Uint8Array(KEY_BYTES)
  for (let at = 0; at < KEY_BYTES && at < password.length; at++) key[at] = password[at] << 1
  return salt + encode(desRepeated(key, ITOA64.indexOf(salt[0]) | (ITOA64.indexOf(salt[1]) << 6), ENCRYPTIONS))
}

const KEY_BYTES = 8
const ENCRYPTIONS = 25
const DIGITS = 11

/** Eleven digits of six bits, most significant first; the last one contains four bits and two zeros. */
function encode(block: bigint): string {
  let text = ''
  const bits = block << 2n
  for (let digit = DIGITS - 1; digit >= 0; digit--) text += ITOA64[Number((bits >> BigInt(6 * digit)) & 63n)]
  return text
}
