import { createHmac, timingSafeEqual } from 'node:crypto'
import type { NonceKeys } from './nonce-keys.ts'

/** Lengths of the encoded time (it ends in `=`) and of its signature. */
const MOMENT_LENGTH = 12
const SIGNATURE_LENGTH = 40

/** Whether a text has the form of a nonce, from any source. */
export function isNonce(text: string): boolean {
  return text.length === MOMENT_LENGTH + SIGNATURE_LENGTH && text[MOMENT_LENGTH - 1] === '='
}

/**
 * Creates and verifies nonces: a time in Base64, followed by a keyed hash of it, the realm and the opaque
 * value. Nothing is stored.
 */
export class Nonces {
  readonly #keys: NonceKeys

  constructor(keys: NonceKeys) {
    this.#keys = keys
  }

  /** @param moment whole microseconds since 1970, or the number of a one-time nonce */
  make(moment: number, realm: string, opaque: string | null): string {
    const text = momentText(moment)
    return text + signature(this.#keys.current(), text, realm, opaque)
  }

  /**
   * The time or number in a nonce; undefined if this server did not create it, or if it is for another realm
   * or client.
   */
  momentOf(nonce: string, realm: string, opaque: string | null): number | undefined {
    const given = Buffer.from(nonce.slice(MOMENT_LENGTH), 'latin1')
    const isOurs = this.#keys.accepted().some((key) => {
      const expected = Buffer.from(signature(key, nonce.slice(0, MOMENT_LENGTH), realm, opaque), 'latin1')
      return expected.length === given.length && timingSafeEqual(expected, given)
    })
    if (!isOurs) return undefined
    const bytes = Buffer.from(nonce.slice(0, MOMENT_LENGTH), 'base64')
    return bytes.readUInt32LE(4) * 2 ** 32 + bytes.readUInt32LE(0)
  }

  /** The correct signature for the time in a nonce. */
  expectedSignature(nonce: string, realm: string, opaque: string | null): string {
    return signature(this.#keys.current(), nonce.slice(0, MOMENT_LENGTH), realm, opaque)
  }
}

function signature(key: Uint8Array, moment: string, realm: string, opaque: string | null): string {
  return createHmac('sha256', key)
    .update(`${moment}${opaque ?? ''}\0${realm}`, 'latin1')
    .digest('hex')
    .slice(0, SIGNATURE_LENGTH)
}

/** Encodes eight bytes in little-endian order, as httpd does on most machines. */
function momentText(moment: number): string {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeUInt32LE(moment % 2 ** 32, 0)
  bytes.writeUInt32LE(Math.floor(moment / 2 ** 32), 4)
  return bytes.toString('base64')
}
