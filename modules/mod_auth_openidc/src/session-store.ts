import { createHash, randomBytes } from 'node:crypto'
import type { SharedStore } from '@gatewright/api'
import { isJsonObject, type JsonObject } from '@gatewright/tokens'
import type { Passphrase } from './pass-phrase.ts'
import type { Identity } from './provider.ts'
import { seal, unseal } from './sealing.ts'

/** A user who has logged in. Times are milliseconds since 1970. */
export interface Session extends Identity {
  readonly user: string
  readonly createdAt: number
  readonly usedAt: number
  /** The session ends then, however much it is used. */
  readonly endsAt: number
}

const ID_LENGTH = 24
/** A user or a provider's session has at most so many sessions that the provider can end; the oldest are forgotten. */
const MOST_INDEXED = 40
/** Others were quicker so many times. */
const MOST_TRIES = 10

const CLAIMED = Buffer.from('claimed')
const FAILED = Buffer.from('failed')

/** Sessions in the shared cache, encrypted. The cache has nothing from which a cookie could be made. */
export class SessionStore {
  readonly #store: SharedStore
  /** The bytes from which sessions were read. */
  readonly #read = new WeakMap<Session, Uint8Array>()

  constructor(store: SharedStore) {
    this.#store = store
  }

  /** A value for a cookie. */
  newId(): string {
    return randomBytes(ID_LENGTH).toString('base64url')
  }

  /** The session of a cookie; null if there is none, it has ended, or the cache does not answer. */
  async find(passphrase: Passphrase, id: string, inactivity: number): Promise<Session | null> {
    if (!/^[\w-]{32}$/.test(id)) return null
    const bytes = await this.#store.get(keyOf(id))
    const plain = bytes === undefined ? null : unseal(passphrase.keyFor('session', id), bytes)
    if (plain === null) return null
    const session = sessionIn(JSON.parse(plain.toString()))
    const now = Date.now()
    if (bytes === undefined || session === null || now >= session.endsAt || now >= session.usedAt + inactivity) return null
    this.#read.set(session, bytes)
    return session
  }

  /**
   * Keeps a session in place of the one that was found, unless that has been replaced or ended since.
   * @returns whether it was kept
   */
  async replace(passphrase: Passphrase, id: string, found: Session, session: Session, inactivity: number): Promise<boolean> {
    const expected = this.#read.get(found)
    const lifetime = Math.min(inactivity, session.endsAt - Date.now())
    if (expected === undefined || lifetime <= 0) return false
    const bytes = seal(passphrase.keyFor('session', id), Buffer.from(JSON.stringify(session)))
    if ((await this.#store.compareAndSet(keyOf(id), expected, bytes, lifetime)) !== true) return false
    this.#read.set(session, bytes)
    return true
  }

  /** Makes sure that no other process refreshes the tokens of a session. @returns false if one does, or tried a moment ago */
  async claim(id: string, lifetime: number): Promise<boolean> {
    return (await this.#store.compareAndSet(claimKey(id), undefined, CLAIMED, lifetime)) === true
  }

  /** Ends a claim, or leaves it for a while as one that has failed. */
  release(id: string, failedFor: number): void {
    if (failedFor === 0) this.#store.delete(claimKey(id))
    else this.#store.set(claimKey(id), FAILED, failedFor)
  }

  /** Whether the tokens of a session are not being refreshed, because that failed a moment ago. */
  async hasFailed(id: string): Promise<boolean> {
    const bytes = await this.#store.get(claimKey(id))
    return bytes !== undefined && FAILED.equals(bytes)
  }

  /** Keeps a new session, so that the provider can end it. @returns false if the cache does not keep it */
  async add(passphrase: Passphrase, id: string, session: Session, inactivity: number): Promise<boolean> {
    const lifetime = Math.min(inactivity, session.endsAt - Date.now())
    if (lifetime <= 0) return false
    this.#store.set(keyOf(id), seal(passphrase.keyFor('session', id), Buffer.from(JSON.stringify(session))), lifetime)
    const found = await this.find(passphrase, id, inactivity)
    if (found === null) return false
    await this.#index(subjectKey(session.issuer, session.subject), id, session.endsAt)
    if (session.sid !== null) await this.#index(sidKey(session.issuer, session.sid), id, session.endsAt)
    return true
  }

  remove(id: string): void {
    this.#store.delete(keyOf(id))
  }

  /** Ends the sessions of a user, or those of one session at the provider. */
  async end(issuer: string, { sid, subject }: { readonly sid?: string; readonly subject?: string }): Promise<void> {
    const key = sid === undefined ? (subject === undefined ? null : subjectKey(issuer, subject)) : sidKey(issuer, sid)
    if (key === null) return
    for (const known of listIn(await this.#store.get(key))) this.#store.delete(known)
    this.#store.delete(key)
  }

  async #index(key: string, id: string, until: number): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const before = await this.#store.get(key)
      const list = [...listIn(before), keyOf(id)].slice(-MOST_INDEXED)
      const kept = await this.#store.compareAndSet(key, before, Buffer.from(list.join(' ')), Math.max(1, until - Date.now()))
      if (kept !== false) return
    }
  }
}

function keyOf(id: string): string {
  return `session:${createHash('sha256').update(id).digest('base64url')}`
}

function claimKey(id: string): string {
  return `refresh:${createHash('sha256').update(id).digest('base64url')}`
}

function sidKey(issuer: string, sid: string): string {
  return `sid:${createHash('sha256')
    .update(JSON.stringify([issuer, sid]))
    .digest('base64url')}`
}

function subjectKey(issuer: string, subject: string): string {
  return `sub:${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url')}`
}

function listIn(bytes: Uint8Array | undefined): readonly string[] {
  return bytes === undefined
    ? []
    : Buffer.from(bytes)
        .toString()
        .split(' ')
        .filter((key) => key !== '')
}

/** What `keep` wrote; null for anything else, such as what a former version kept. */
function sessionIn(value: unknown): Session | null {
  if (!isJsonObject(value)) return null
  const {
    issuer,
    subject,
    user,
    idToken,
    accessToken,
    createdAt,
    usedAt,
    endsAt,
    idClaims,
    userInfo,
    sid,
    accessExpires,
    refreshToken,
  } = value
  if (typeof issuer !== 'string' || typeof subject !== 'string' || typeof user !== 'string') return null
  if (typeof idToken !== 'string' || typeof accessToken !== 'string' || !isJsonObject(idClaims)) return null
  if (typeof createdAt !== 'number' || typeof usedAt !== 'number' || typeof endsAt !== 'number') return null
  return {
    ...{ issuer, subject, user, idToken, accessToken, idClaims, createdAt, usedAt, endsAt },
    userInfo: objectOrNull(userInfo),
    sid: typeof sid === 'string' ? sid : null,
    accessExpires: typeof accessExpires === 'number' ? accessExpires : null,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : null,
  }
}

function objectOrNull(value: unknown): JsonObject | null {
  return isJsonObject(value) ? value : null
}
