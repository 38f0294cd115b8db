import { createHash } from 'node:crypto'
import { isCryptSalt } from './crypt-limits.ts'
import { itoa64Digest } from './itoa64.ts'
import { stretch } from './stretch.ts'

/** Both variants have a fixed number of rounds. */
export const MD5_ROUNDS = 1000

/** Longest salt, in characters. */
export const MD5_SALT_MAX = 8

/** `$1$` is MD5-crypt of crypt(3), `$apr1$` the same with another constant mixed in. */
export type Md5Magic = '$1$' | '$apr1$'

/** The text that both variants store for a password. Each character of the salt is one byte (Latin-1). */
export function md5Crypt(magic: Md5Magic, salt: string, password: Uint8Array): string {
  const saltBytes = Buffer.from(salt, 'latin1')
  const digest = stretch('md5', firstDigest(magic, saltBytes, password), password, saltBytes, MD5_ROUNDS)
  return `${magic}${salt}$${itoa64Digest(digest, DIGEST_ORDER)}`
}

/**
 * The salt of a stored text, or undefined if no password can match because the salt is too long or
 * unterminated, or the digest has another length. The two variants differ: httpd's own `$apr1$` accepts any
 * salt byte, crypt(3) does not.
 */
export function md5Salt(magic: Md5Magic, stored: string): string | undefined {
  const end = stored.length - DIGEST_CHARACTERS - 1
  if (end < magic.length || stored[end] !== '$') return undefined
  const salt = stored.slice(magic.length, end)
  if (salt.length > MD5_SALT_MAX || salt.includes('$')) return undefined
  return magic === '$1$' ? crypt3Salt(salt) : byteSalt(salt)
}

const DIGEST_CHARACTERS = 22

const DIGEST_ORDER: readonly number[] = [0, 6, 12, 1, 7, 13, 2, 8, 14, 3, 9, 15, 4, 10, 5, 11]

function crypt3Salt(salt: string): string | undefined {
  return isCryptSalt(salt) ? salt : undefined
}

function byteSalt(salt: string): string | undefined {
  for (let at = 0; at < salt.length; at++) {
    const code = salt.charCodeAt(at)
    if (code === 0 || code > 0xff) return undefined
  }
  return salt
}

function firstDigest(magic: Md5Magic, salt: Uint8Array, password: Uint8Array): Buffer {
  const mixed = createHash('md5').update(password).update(salt).update(password).digest()
  const digest = createHash('md5').update(password).update(magic).update(salt)
  for (let left = password.length; left > 0; left -= mixed.length) digest.update(mixed.subarray(0, Math.min(left, mixed.length)))
  // For each one bit of the length, the first implementation used a byte of a buffer that it had just
  // cleared, which became part of the format.
  for (let bits = password.length; bits > 0; bits >>>= 1) digest.update((bits & 1) === 1 ? ZERO : password.subarray(0, 1))
  return digest.digest()
}

const ZERO: Uint8Array = new Uint8Array(1)
