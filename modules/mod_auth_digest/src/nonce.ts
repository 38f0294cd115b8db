import { createHmac, timingSafeEqual } from 'node:crypto'

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
  readonly #key: Uint8Array

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** @param moment whole microseconds since 1970, or the number of a one-time nonce */
  make(moment: number, realm: string, opaque: string | null): string {
    const text = momentText(moment)
    return text + this.#signature(text, realm, opaque)
  }

  /**
   * The time or number in a nonce; undefined if this server did not create it, or if it is for another realm
   * or client.
   */
  momentOf(nonce: string, realm: string, opaque: string | null): number | undefined {
    const expected = Buffer.from(this.expectedSignature(nonce, realm, opaque), 'latin1')
    const given = Buffer.from(nonce.slice(MOMENT_LENGTH), 'latin1')
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
    const bytes = Buffer.from(nonce.slice(0, MOMENT_LENGTH), 'base64')
    return bytes.readUInt32LE(4) * 2 ** 32 + bytes.readUInt32LE(0)
  }

  /** The correct signature for the time in a nonce. */
  expectedSignature(nonce: string, realm: string, opaque: string | null): string {
    return this.#signature(nonce.slice(0, MOMENT_LENGTH), realm, opaque)
  }

  #signature(moment: string, realm: string, opaque: string | null): string {
    return createHmac('sha256', this.#key)
      .update(`${moment}${opaque ?? ''}\0${realm}`, 'latin1')
      .digest('hex')
      .slice(0, SIGNATURE_LENGTH)
  }
}

/** Encodes eight bytes in little-endian order, as httpd does on most machines. */
function momentText(moment: number): string {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeUInt32LE(moment % 2 ** 32, 0)
  bytes.writeUInt32LE(Math.floor(moment / 2 ** 32), 4)
  return bytes.toString('base64')
}
