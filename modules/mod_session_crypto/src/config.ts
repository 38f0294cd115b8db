/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface CryptoConfig {
  /**
   * SessionCryptoPassphrase and SessionCryptoPassphraseFile: the first encrypts, all decrypt. null for one that a program
   * did not give.
   */
  passphrases?: readonly (string | null)[]
  /** SessionCryptoCipher, as written. */
  cipher?: string
}

/** SessionCryptoDriver. */
export interface CryptoServerConfig {
  driver?: string
}

export function mergeCryptoConfig(base: Readonly<CryptoConfig>, over: Readonly<CryptoConfig>): CryptoConfig {
  return { passphrases: over.passphrases ?? base.passphrases, cipher: over.cipher ?? base.cipher }
}
