import { createHash } from 'node:crypto'
import { isCryptSalt } from './crypt-limits.ts'
import { itoa64Digest } from './itoa64.ts'
import { stretch } from './stretch.ts'

/** Rounds when the stored text has no `rounds=`. */
export const SHA_ROUNDS_DEFAULT = 5000

/** The platform's crypt(3) fails for `rounds=` outside these bounds instead of clamping. */
export const SHA_ROUNDS_MIN = 1000

/** See {@link SHA_ROUNDS_MIN}. */
export const SHA_ROUNDS_MAX = 999_999_999

/** Longest salt, in characters. */
export const SHA_SALT_MAX = 16

/** What tells `$5$` from `$6$`. */
export interface ShaVariant {
  readonly magic: '$5$' | '$6$'
  readonly algorithm: 'sha256' | 'sha512'
  readonly digestCharacters: number
  readonly digestOrder: readonly number[]
}

/** The part of a stored text in front of the digest; `rounds` undefined means the default without a `rounds=` field. */
export interface ShaSetting {
  salt: string
  rounds: number | undefined
}

/** The text `variant` stores for a password. */
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

/** The setting of a stored text, or undefined when crypt(3) would fail for it or could never give this text back. */
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

/** `length` bytes of the digest over and over. */
function fill(digest: Buffer, length: number): Buffer {
  return Buffer.alloc(length, digest)
}

/**
 * The order in which sha-crypt reads a digest: three columns walk through it side by side and change places after each group
 * (`turn` steps to the left), the bytes left over come last, highest first.
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
