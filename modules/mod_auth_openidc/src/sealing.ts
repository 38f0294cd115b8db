import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_LENGTH = 12
const TAG_LENGTH = 16

/** Encrypts bytes so that nobody without the key can read or make them. @param key of 32 bytes, for this purpose only */
export function seal(key: Buffer, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_LENGTH)
  const cipher = createCipheriv(ALGORITHM, key, nonce)
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts what {@link seal} made; null for anything else. */
export function unseal(key: Buffer, sealed: Uint8Array): Buffer | null {
  if (sealed.length < NONCE_LENGTH + TAG_LENGTH) return null
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_LENGTH), { authTagLength: TAG_LENGTH })
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_LENGTH))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_LENGTH, sealed.length - TAG_LENGTH)), decipher.final()])
  } catch {
    return null
  }
}

/** {@link seal} for a value of JSON, as text for cookies and URLs. */
export function sealJson(key: Buffer, value: unknown): string {
  return seal(key, Buffer.from(JSON.stringify(value))).toString('base64url')
}

/** The value of {@link sealJson}; null for a text that it did not make. */
export function unsealJson(key: Buffer, text: string): unknown {
  const bytes = /^[\w-]+$/.test(text) ? unseal(key, Buffer.from(text, 'base64url')) : null
  if (bytes === null) return null
  const value: unknown = JSON.parse(bytes.toString())
  return value
}
