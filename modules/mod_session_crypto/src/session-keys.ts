import { pbkdf2, randomBytes } from 'node:crypto'
import type { MaybePromise } from '@gatewright/api'
import type { SessionCipher } from './ciphers.ts'

/** httpd derives keys by PBKDF2 (RFC 8018) with HMAC-SHA-1, and this many iterations. */
const ITERATIONS = 4096
const DIGEST = 'sha1'

/** In bytes; httpd takes a random UUID. */
export const SALT_LENGTH = 16

/** Derived keys that are remembered: each takes milliseconds of a processor to derive. */
const REMEMBERED = 1000

/** A key for new sessions. */
export interface NewKey {
  readonly salt: Buffer
  readonly key: Buffer
}

/**
 * Keys that are derived from passphrases, in threads of their own. Sessions that this process encrypts share a salt for
 * each passphrase; their initialisation vectors differ.
 */
export class SessionKeys {
  readonly #derived = new Map<string, MaybePromise<Buffer>>()
  readonly #salts = new Map<string, Buffer>()

  /** The key for a salt. A promise if it is not known yet. */
  of(passphrase: string, salt: Buffer, cipher: SessionCipher): MaybePromise<Buffer> {
    const name = `${cipher.algorithm} ${salt.toString('hex')} ${passphrase}`
    const known = this.#derived.get(name)
    if (known !== undefined) return known
    const deriving = derive(passphrase, salt, cipher.keyLength)
    this.#remember(name, deriving)
    deriving.then(
      (key) => this.#derived.has(name) && this.#derived.set(name, key),
      () => this.#derived.delete(name),
    )
    return deriving
  }

  /** A key to encrypt with. */
  forNew(passphrase: string, cipher: SessionCipher): MaybePromise<NewKey> {
    let salt = this.#salts.get(passphrase)
    if (salt === undefined) {
      salt = randomBytes(SALT_LENGTH)
      this.#salts.set(passphrase, salt)
    }
    const chosen = salt
    const key = this.of(passphrase, chosen, cipher)
    return key instanceof Promise ? key.then((late) => ({ salt: chosen, key: late })) : { salt: chosen, key }
  }

  /** Forgets the key that was derived first if there are too many. */
  #remember(name: string, key: Promise<Buffer>): void {
    if (this.#derived.size >= REMEMBERED) {
      const [oldest] = this.#derived.keys()
      this.#derived.delete(oldest)
    }
    this.#derived.set(name, key)
  }
}

function derive(passphrase: string, salt: Buffer, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    pbkdf2(Buffer.from(passphrase, 'latin1'), salt, ITERATIONS, length, DIGEST, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
