import { createHmac, randomBytes } from 'node:crypto'

/** Bytes of the key and of what is derived from it. */
const LENGTH = 32

/**
 * A key that all processes of a server share, so that one accepts what another has signed. The process that
 * starts them creates the key and passes it only to them.
 */
export function newSecretKey(): Uint8Array {
  return randomBytes(LENGTH)
}

/** Secrets by name, derived from one key: a secret reveals neither the key nor another secret. */
export class Secrets {
  readonly #key: Uint8Array

  constructor(key: Uint8Array) {
    // A shorter key could be guessed, and everything signed with it forged.
    if (key.length < LENGTH) throw new RangeError(`a secret key has at least ${LENGTH} bytes`)
    this.#key = key
  }

  of(name: string): Uint8Array {
    return createHmac('sha256', this.#key).update(name, 'utf8').digest()
  }
}
