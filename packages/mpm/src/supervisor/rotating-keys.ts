import { randomBytes } from 'node:crypto'
import type { KeyPair } from '../roles/messages.ts'

/** A key is used for a day, and accepted for another (ms). */
const LIFETIME = 24 * 60 * 60 * 1000
const KEY_BYTES = 32

/** Two keys that workers share, of which the older one is forgotten when a new one is made. */
export class RotatingKeys {
  #pair: KeyPair

  /** @param inherited those of a former supervisor; null if there is none @param now milliseconds since 1970 */
  constructor(inherited: KeyPair | null, now: number) {
    this.#pair = inherited ?? { current: newKey(), previous: null, since: now }
  }

  get pair(): KeyPair {
    return this.#pair
  }

  /** Makes a new key if the present one is a day old, or from the future because the clock was set back. */
  rotate(now: number): boolean {
    const { current, since } = this.#pair
    if (Math.abs(now - since) < LIFETIME) return false
    this.#pair = { current: newKey(), previous: current, since: now }
    return true
  }
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}
