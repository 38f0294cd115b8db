import { timingSafeEqual } from 'node:crypto'
import { type BcryptSetting, bcrypt, bcryptSetting } from './bcrypt.ts'
import { fitsCrypt } from './crypt-limits.ts'
import { DES_SALT_LENGTH, desCrypt } from './des-crypt.ts'
import { type Md5Magic, md5Crypt, md5Salt } from './md5-crypt.ts'
import { identifyScheme } from './scheme.ts'
import { SHA256_CRYPT, SHA512_CRYPT, type ShaVariant, shaCrypt, shaSetting } from './sha-crypt.ts'
import { sha1Text } from './sha1.ts'

/**
 * Whether httpd would accept the password for the stored text. The computation takes as long as the scheme
 * requires (see `costRank`): call it in a thread unless `isCheap` returns true.
 *
 * @param stored the field after the user name, one character per byte; a malformed or unsupported text
 *   matches nothing
 * @param password raw bytes without any normalisation; as in httpd they end at the first NUL
 */
export function verifyPassword(stored: string, password: Buffer): boolean {
  const computed = storedTextFor(stored, upToNul(password))
  return computed !== undefined && sameText(computed, stored)
}

/** The stored text that this password would match, or undefined if no text can match. */
function storedTextFor(stored: string, password: Buffer): string | undefined {
  switch (identifyScheme(stored)) {
    case 'bcrypt':
      return bcryptText(stored, password)
    case 'apr1':
      return md5Text('$apr1$', stored, password)
    case 'sha':
      return sha1Text(password)
    case 'md5':
      return fitsCrypt(password) ? md5Text('$1$', stored, password) : undefined
    case 'sha256':
      return fitsCrypt(password) ? shaText(SHA256_CRYPT, stored, password) : undefined
    case 'sha512':
      return fitsCrypt(password) ? shaText(SHA512_CRYPT, stored, password) : undefined
    case 'crypt':
      return fitsCrypt(password) ? desCrypt(stored.slice(0, DES_SALT_LENGTH), password) : undefined
    case 'unsupported':
      return undefined
  }
}

function bcryptText(stored: string, password: Buffer): string | undefined {
  const setting = bcryptSetting(stored)
  return setting !== undefined && fitsBcrypt(setting, password) ? bcrypt(setting, password) : undefined
}

/**
 * httpd computes `$2a$` and `$2y$` itself, from passwords of any length. It passes the other two to crypt(3),
 * which limits the length.
 */
function fitsBcrypt(setting: BcryptSetting, password: Buffer): boolean {
  return setting.variant === 'a' || setting.variant === 'y' || fitsCrypt(password)
}

function md5Text(magic: Md5Magic, stored: string, password: Buffer): string | undefined {
  const salt = md5Salt(magic, stored)
  return salt === undefined ? undefined : md5Crypt(magic, salt, password)
}

function shaText(variant: ShaVariant, stored: string, password: Buffer): string | undefined {
  const setting = shaSetting(variant, stored)
  return setting === undefined ? undefined : shaCrypt(variant, setting, password)
}

function upToNul(password: Buffer): Buffer {
  const nul = password.indexOf(0)
  return nul < 0 ? password : password.subarray(0, nul)
}

/**
 * Constant time for texts of the same length. The length follows from the scheme and the salt and reveals
 * nothing about the password.
 */
function sameText(computed: string, stored: string): boolean {
  const expected = Buffer.from(computed)
  const actual = Buffer.from(stored)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
