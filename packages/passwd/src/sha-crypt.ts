import { createHash } from 'node:crypto'
import { isCryptSalt } from './crypt-limits.ts'
import { itoa64Digest } from './itoa64.ts'
import { stretch } from './stretch.ts'

/** Rounds if the stored text has no `rounds=`. */
export const SHA_ROUNDS_DEFAULT = 5000

/** The platform's crypt(3) fails for `rounds=` outside these limits instead of clamping the number. */
export const SHA_ROUNDS_MIN = 1000

/** See {@link SHA_ROUNDS_MIN}. */
export const SHA_ROUNDS_MAX = 999_999_999

/** Longest salt, in characters. */
export const SHA_SALT_MAX = 16

/** The differences between `$5$` and `$6$`. */
export interface ShaVariant {
  readonly magic: '$5$' | '$6$'
  readonly algorithm: 'sha256' | 'sha512'
  readonly digestCharacters: number
  readonly digestOrder: readonly number[]
}

/**
 * The part of a stored text before the digest. If `rounds` is undefined, the default applies and the text has
 * no `rounds=` field.
 */
export interface ShaSetting {
  salt: string
  rounds: number | undefined
}

/** The text that `variant` stores for a password. */
export function shaCrypt(variant: ShaVariant, setting: ShaSetting, password: Uint8Array): string {
  const { algorithm, magic } = variant
  const salt = Buffer.from(setting.salt, 'latin1')
  const first = firstDigest(algorithm, salt, password)
  const passwordBytes = fill(repeatedDigest(algorithm, password, password.length), password.length)
  const saltBytes = fill(repeatedDigest(algorithm, salt, 16 + first[0]), salt.length)
  const digest = stretch(algorithm, first, passwordBytes, saltBytes, setting.rounds ?? SHA_ROUNDS_DEFAULT)
  const rounds = setting.rounds === undefined ? '' : `rounds=${setting.rounds}$`
  return `${magic}${rounds}${setting.salt}$${itoa64Digest(digest, variant.digestOrder)}`
}

/**
 * The setting of a stored text, or undefined if crypt(3) would fail for it or could never produce this text.
 */
export function shaSetting(variant: ShaVariant, stored: string): ShaSetting | undefined {
  const end = stored.length - variant.digestCharacters - 1
  if (end < variant.magic.length || stored[end] !== '$') return undefined
  const setting = stored.slice(variant.magic.length, end)
  const field = /^rounds=([1-9][0-9]{3,8})\$/.exec(setting)
  if (field === null) return setting.startsWith('rounds=') ? undefined : withSalt(setting, undefined)
  return withSalt(setting.slice(field[0].length), Number(field[1]))
}

function withSalt(salt: string, rounds: number | undefined): ShaSetting | undefined {
  if (salt.length > SHA_SALT_MAX || salt.includes('$') || !isCryptSalt(salt)) return undefined
  return { salt, rounds }
}

function firstDigest(algorithm: string, salt: Uint8Array, password: Uint8Array): Buffer {
  const mixed = createHash(algorithm).update(password).update(salt).update(password).digest()
  const digest = createHash(algorithm).update(password).update(salt).update(fill(mixed, password.length))
  for (let bits = password.length; bits > 0; bits >>>= 1) digest.update((bits & 1) === 1 ? mixed : password)
  return digest.digest()
}

function repeatedDigest(algorithm: string, piece: Uint8Array, times: number): Buffer {
  const digest = createHash(algorithm)
  for (let count = 0; count < times; count++) digest.update(piece)
  return digest.digest()
}

/** The digest, repeated up to `length` bytes. */
function fill(digest: Buffer, length: number): Buffer {
  return Buffer.alloc(length, digest)
}

/**
 * The order in which sha-crypt reads a digest. Three columns advance in parallel and exchange places after
 * each group (`turn` steps to the left). The remaining bytes come last, highest first.
 */
function columnOrder(columns: number, turn: number, rest: readonly number[]): number[] {
  const order: number[] = []
  for (let row = 0; row < columns; row++) {
    for (let place = 0; place < 3; place++) order.push(row + columns * ((place + turn * row) % 3))
  }
  return [...order, ...rest]
}

/** `$5$`. */
export const SHA256_CRYPT: ShaVariant = {
  magic: '$5$',
  algorithm: 'sha256',
  digestCharacters: 43,
  digestOrder: columnOrder(10, 2, [31, 30]),
}

/** `$6$`. */
export const SHA512_CRYPT: ShaVariant = {
  magic: '$6$',
  algorithm: 'sha512',
  digestCharacters: 86,
  digestOrder: columnOrder(21, 1, [63]),
}
