/** A cipher of SessionCryptoCipher. */
export interface SessionCipher {
  /** As OpenSSL names it. */
  readonly algorithm: string
  /** In bytes. */
  readonly keyLength: number
  /** Of the initialisation vector, and of a block, in bytes. */
  readonly blockLength: number
}

/** By the names that httpd's crypto library has for them, in its order. */
export const CIPHERS: ReadonlyMap<string, SessionCipher> = new Map([
  ['aes128', { algorithm: 'aes-128-cbc', keyLength: 16, blockLength: 16 }],
  ['aes192', { algorithm: 'aes-192-cbc', keyLength: 24, blockLength: 16 }],
  ['aes256', { algorithm: 'aes-256-cbc', keyLength: 32, blockLength: 16 }],
  ['3des192', { algorithm: 'des-ede3-cbc', keyLength: 24, blockLength: 8 }],
])

export const STANDARD_CIPHER = 'aes256'
