import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Number of cached logins, and their lifetime in milliseconds: the default of httpd's AuthnCacheTimeout. */
const MAX_LOGINS = 1000
const LIFETIME = 300_000

/**
 * Passwords that were verified recently, so that a client that sends its password with each request, as all
 * clients do, pays for a slow hash once. Only matches are cached, so guessing does not become faster. The key
 * is a keyed digest of hash and password, so that neither is stored here, and a password that was changed in
 * its file does not match.
 */
export class VerifiedPasswords {
  /** A key object, because converting the bytes for each digest would take longer than the digest. */
  readonly #key = createSecretKey(randomBytes(32))
  readonly #logins = new LRUCache<string, true>({ max: MAX_LOGINS, ttl: LIFETIME })

  has(stored: string, password: string): boolean {
    return this.#logins.size > 0 && this.#logins.has(this.#digest(stored, password))
  }

  add(stored: string, password: string): void {
    this.#logins.set(this.#digest(stored, password), true)
  }

  #digest(stored: string, password: string): string {
    return createHmac('sha256', this.#key).update(`${stored.length} ${stored}${password}`, 'latin1').digest('base64')
  }
}
