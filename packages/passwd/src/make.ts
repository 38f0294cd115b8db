import { randomBytes } from 'node:crypto'
import {
  BCRYPT_COST_MAX,
  BCRYPT_COST_MIN,
  BCRYPT_SALT_BYTES,
  BCRYPT_SALT_LENGTH,
  bcrypt,
  encodeBcryptSalt,
  isBcryptSalt,
} from './bcrypt.ts'
import { fitsCrypt } from './crypt-limits.ts'
import { DES_SALT_LENGTH, desCrypt } from './des-crypt.ts'
import { ITOA64, isItoa64 } from './itoa64.ts'
import { MD5_SALT_MAX, md5Crypt } from './md5-crypt.ts'
import type { Scheme } from './scheme.ts'
import {
  SHA_ROUNDS_MAX,
  SHA_ROUNDS_MIN,
  SHA_SALT_MAX,
  SHA256_CRYPT,
  SHA512_CRYPT,
  type ShaVariant,
  shaCrypt,
} from './sha-crypt.ts'
import { sha1Text } from './sha1.ts'

/** The schemes that httpd's own tools write. */
export type HashableScheme = Exclude<Scheme, 'md5' | 'unsupported'>

/** A scheme ignores the options that it does not use. */
export interface HashOptions {
  /**
   * Random if absent. apr1: 1..8, sha256 and sha512: 1..16, crypt: exactly 2 characters of `./0-9A-Za-z`;
   * bcrypt: exactly 22 characters of the same set.
   */
  salt?: string
  /** sha256, sha512: 1000..999999999, written as `rounds=`; if absent, 5000 without that field. */
  rounds?: number
  /** bcrypt: binary logarithm of the rounds, 4..31; 5 if absent, as in htpasswd. */
  cost?: number
}

/**
 * The text to store for a password: `$2y$` for bcrypt, otherwise the form that the scheme is named after.
 * bcrypt uses the first 72 bytes, crypt the first 8; warning about that is up to the caller.
 *
 * @throws RangeError for a salt, rounds or cost outside the scheme's range, for a password with a NUL (httpd
 *   would compare only the part before it), and for one longer than 511 bytes with a scheme of crypt(3)
 *   (httpd would never accept it)
 */
export function hashPassword(scheme: HashableScheme, password: Buffer, options: HashOptions = {}): string {
  if (password.includes(0)) throw new RangeError('a password cannot contain a NUL byte')
  switch (scheme) {
    case 'apr1':
      return md5Crypt('$apr1$', itoa64Salt(options.salt, 1, MD5_SALT_MAX), password)
    case 'sha':
      return sha1Text(password)
    case 'bcrypt':
      return bcrypt({ variant: 'y', cost: cost(options.cost), salt: bcryptSalt(options.salt) }, password)
    case 'sha256':
      return shaText(SHA256_CRYPT, password, options)
    case 'sha512':
      return shaText(SHA512_CRYPT, password, options)
    case 'crypt':
      checkFits(password)
      return desCrypt(itoa64Salt(options.salt, DES_SALT_LENGTH, DES_SALT_LENGTH), password)
  }
}

const BCRYPT_COST_DEFAULT = 5

function shaText(variant: ShaVariant, password: Buffer, options: HashOptions): string {
  checkFits(password)
  return shaCrypt(variant, { salt: itoa64Salt(options.salt, 1, SHA_SALT_MAX), rounds: rounds(options.rounds) }, password)
}

function checkFits(password: Buffer): void {
  if (!fitsCrypt(password)) throw new RangeError('the password is too long for this scheme')
}

function rounds(given: number | undefined): number | undefined {
  if (given === undefined) return undefined
  if (Number.isInteger(given) && given >= SHA_ROUNDS_MIN && given <= SHA_ROUNDS_MAX) return given
  throw new RangeError(`rounds must be a whole number from ${SHA_ROUNDS_MIN} to ${SHA_ROUNDS_MAX}`)
}

function cost(given: number = BCRYPT_COST_DEFAULT): number {
  if (Number.isInteger(given) && given >= BCRYPT_COST_MIN && given <= BCRYPT_COST_MAX) return given
  throw new RangeError(`cost must be a whole number from ${BCRYPT_COST_MIN} to ${BCRYPT_COST_MAX}`)
}

/** The given salt, after a check, or a random one of the greatest length. */
function itoa64Salt(given: string | undefined, min: number, max: number): string {
  if (given === undefined) return randomItoa64(max)
  if (given.length >= min && given.length <= max && isItoa64(given)) return given
  throw new RangeError(`the salt must be ${min === max ? min : `${min} to ${max}`} characters of ./0-9A-Za-z`)
}

function randomItoa64(length: number): string {
  let salt = ''
  // 256 is a multiple of 64: every character is equally likely.
  for (const byte of randomBytes(length)) salt += ITOA64[byte & 63]
  return salt
}

function bcryptSalt(given: string | undefined): string {
  if (given === undefined) return encodeBcryptSalt(randomBytes(BCRYPT_SALT_BYTES))
  if (isBcryptSalt(given)) return given
  throw new RangeError(`the salt must be ${BCRYPT_SALT_LENGTH} characters of ./0-9A-Za-z`)
}
