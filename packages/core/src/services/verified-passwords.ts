import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Logins remembered, and for how long, in milliseconds: as long as httpd's AuthnCacheTimeout when it says nothing. */
const MAX_LOGINS = 1000
const LIFETIME = 300_000

/**
 * Passwords that were verified a while ago, so that a client that sends its password with each request, as all do, pays for a slow hash once. Only what matched is
 * remembered, so guessing gets no faster; and it is remembered by a keyed digest of hash and password, so that neither lies here, and a password that was
 * changed in its file is another one.
 */
export class VerifiedPasswords {
  /** As an object, because the bytes would be made one for each digest, which takes longer than the digest. */
  private readonly key = createSecretKey(randomBytes(32))
  private readonly logins = new LRUCache<string, true>({ max: MAX_LOGINS, ttl: LIFETIME })

  has(stored: string, password: string): boolean {
    return this.logins.size > 0 && this.logins.has(this.digest(stored, password))
  }

  add(stored: string, password: string): void {
    this.logins.set(this.digest(stored, password), true)
  }

  private digest(stored: string, password: string): string {
    return createHmac('sha256', this.key).update(`${stored.length} ${stored}${password}`, 'latin1').digest('base64')
  }
}
