import { isAscii, isUtf8 } from 'node:buffer'
import { decodeBase64, encodeBase64, hashSync } from 'bcryptjs'
import { bcryptDigest } from './blowfish.ts'

/** Least and greatest binary logarithm of the number of rounds. */
export const BCRYPT_COST_MIN = 4

/** See {@link BCRYPT_COST_MIN}. */
export const BCRYPT_COST_MAX = 31

/** Characters of the salt in bcrypt's own base 64. The last character has only two significant bits. */
export const BCRYPT_SALT_LENGTH = 22

/** Bytes of a salt. */
export const BCRYPT_SALT_BYTES = 16

/**
 * The letter after `$2`. `b` and `y` are correct bcrypt. `x` reproduces the bug of an early implementation
 * that treated bytes above 127 as negative numbers. `a` is like `b`, except for the rare passwords for which
 * the bug would give the same digest: those get a different digest, so that relabelling a `$2x$` text as
 * `$2a$` is useless to an attacker.
 */
export type BcryptVariant = 'a' | 'b' | 'x' | 'y'

/** A stored text without its digest. */
export interface BcryptSetting {
  variant: BcryptVariant
  cost: number
  /** 22 characters of bcrypt's base 64. */
  salt: string
}

/**
 * The text that bcrypt stores for a password. Only the first 72 bytes count. The password must not contain
 * NUL.
 */
export function bcrypt(setting: BcryptSetting, password: Buffer): string {
  const { variant, cost, salt } = setting
  const prefix = `$2${variant}$${String(cost).padStart(2, '0')}$`
  // bcryptjs accepts only text and encodes it as UTF-8; all other passwords must be computed from the bytes.
  const isText = variant === 'x' ? isAscii(password) : isUtf8(password)
  return prefix + (isText ? digestOfText(cost, salt, password.toString('utf8')) : digestOfBytes(setting, password))
}

/** The setting of a stored text, or undefined if no password can match it. */
export function bcryptSetting(stored: string): BcryptSetting | undefined {
  const parts = TEXT.exec(stored)
  if (parts === null) return undefined
  const variant = stored[2]
  if (variant !== 'a' && variant !== 'b' && variant !== 'x' && variant !== 'y') return undefined
  return { variant, cost: Number(parts[1]), salt: parts[2] }
}

/** Encodes a salt as in stored texts. */
export function encodeBcryptSalt(bytes: Uint8Array): string {
  return encodeBase64(bytes, BCRYPT_SALT_BYTES)
}

/** True for 22 characters of bcrypt's base 64. */
export function isBcryptSalt(salt: string): boolean {
  return SALT.test(salt)
}

const TEXT = /^\$2[abxy]\$(0[4-9]|[12][0-9]|3[01])\$([./A-Za-z0-9]{22})[./A-Za-z0-9]{31}$/
const SALT = /^[./A-Za-z0-9]{22}$/
const PREFIX_LENGTH = 7
const DIGEST_BYTES = 23
const KEY_WORDS = 18

/** Salt and digest as computed by bcryptjs, which are the same for every correct variant. */
function digestOfText(cost: number, salt: string, password: string): string {
  return hashSync(password, `$2b$${String(cost).padStart(2, '0')}$${salt}`).slice(PREFIX_LENGTH)
}

function digestOfBytes(setting: BcryptSetting, password: Uint8Array): string {
  const saltBytes = Buffer.from(decodeBase64(setting.salt, BCRYPT_SALT_BYTES))
  const salt = Int32Array.from({ length: 4 }, (_, word) => saltBytes.readInt32BE(4 * word))
  const { key, firstWord } = expandPassword(password, setting.variant)
  return encodeBase64(saltBytes, BCRYPT_SALT_BYTES) + encodeBase64(bcryptDigest(key, firstWord, salt, setting.cost), DIGEST_BYTES)
}

/**
 * Repeats password and NUL up to 72 bytes, with and without the bug, and implements {@link BcryptVariant}.
 */
function expandPassword(password: Uint8Array, variant: BcryptVariant): { key: Int32Array; firstWord: number } {
  const correct = new Int32Array(KEY_WORDS)
  const extended = new Int32Array(KEY_WORDS)
  let negativeSeen = false
  let next = 0
  for (let at = 0; at < 4 * KEY_WORDS; at++) {
    const byte = next < password.length ? password[next] : 0
    const word = at >>> 2
    correct[word] = (correct[word] << 8) | byte
    extended[word] = (extended[word] << 8) | ((byte << 24) >> 24)
    if (byte > 127 && (at & 3) !== 0) negativeSeen = true
    next = next < password.length ? next + 1 : 0
  }
  const hidden = negativeSeen && correct.every((word, index) => word === extended[index])
  return { key: variant === 'x' ? extended : correct, firstWord: variant === 'a' && hidden ? 0x10000 : 0 }
}
