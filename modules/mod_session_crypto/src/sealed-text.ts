import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type MaybePromise, whenSettled } from '@gatewright/api'
import { decodeBase64Lenient } from '@gatewright/api/text'
import type { SessionCipher } from './ciphers.ts'
import { SALT_LENGTH, type SessionKeys } from './session-keys.ts'
import { sipHash24 } from './siphash.ts'

/** In bytes. */
const TAG_LENGTH = 8

/** Why a text could not be opened. */
export type Refusal = 'too-short' | 'no-passphrase-fits' | 'damaged'

/**
 * Encrypts and authenticates a text in the form of httpd: Base64 of a tag, the salt of the key, the initialisation vector
 * and the encrypted text (CBC with padding). The tag is SipHash-2-4 of all after it, with the MD5 of the passphrase as key.
 */
export function seal(text: string, passphrase: string, cipher: SessionCipher, keys: SessionKeys): MaybePromise<string> {
  return whenSettled(keys.forNew(passphrase, cipher), ({ salt, key }) => {
    const iv = randomBytes(cipher.blockLength)
    const encryption = createCipheriv(cipher.algorithm, key, iv)
    const encrypted = Buffer.concat([salt, iv, encryption.update(text, 'latin1'), encryption.final()])
    return Buffer.concat([tagOf(encrypted, passphrase), encrypted]).toString('base64')
  })
}

/** The text that `seal` or httpd sealed with one of the passphrases; otherwise why there is none. */
export function open(
  sealed: string,
  passphrases: readonly string[],
  cipher: SessionCipher,
  keys: SessionKeys,
): MaybePromise<{ readonly text: string } | Refusal> {
  const bytes = decodeBase64Lenient(sealed)
  if (bytes.length < TAG_LENGTH + SALT_LENGTH + 2 * cipher.blockLength) return 'too-short'
  const tag = bytes.subarray(0, TAG_LENGTH)
  const encrypted = bytes.subarray(TAG_LENGTH)
  const passphrase = passphrases.find((one) => timingSafeEqual(tag, tagOf(encrypted, one)))
  if (passphrase === undefined) return 'no-passphrase-fits'
  const salt = Buffer.from(encrypted.subarray(0, SALT_LENGTH))
  return whenSettled(keys.of(passphrase, salt, cipher), (key) => decrypt(encrypted.subarray(SALT_LENGTH), key, cipher))
}

function tagOf(encrypted: Uint8Array, passphrase: string): Buffer {
  const key = createHash('md5').update(Buffer.from(passphrase, 'latin1')).digest()
  return sipHash24(encrypted, key)
}

function decrypt(bytes: Buffer, key: Buffer, cipher: SessionCipher): { readonly text: string } | Refusal {
  const iv = bytes.subarray(0, cipher.blockLength)
  try {
    const decryption = createDecipheriv(cipher.algorithm, key, iv)
    const text = Buffer.concat([decryption.update(bytes.subarray(cipher.blockLength)), decryption.final()])
    return { text: text.toString('latin1') }
  } catch {
    return 'damaged'
  }
}
