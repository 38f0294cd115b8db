import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { fetchJson, isJsonObject } from './fetch-json.ts'

/** Milliseconds after which a set of keys is fetched again, in the background. */
const REFRESH = 300_000
/** Milliseconds between two attempts: tokens with invented key ids must not become a flood of questions. */
const PAUSE = 30_000
/** Milliseconds for which the last set is used while its server does not answer. */
const OUTAGE = 86_400_000
const TIMEOUT = 5_000

/** The keys of an issuer, at a URL. Used by all requests of a process. */
export class KeySource {
  readonly url: URL
  readonly #now: () => number
  readonly #get: (url: URL) => Promise<unknown>
  #keys: JWTVerifyGetKey | null = null
  #fetchedAt = 0
  #triedAt = Number.NEGATIVE_INFINITY
  #pending: Promise<void> | null = null

  constructor(
    url: URL,
    now: () => number = () => performance.now(),
    get: (url: URL) => Promise<unknown> = (from) => fetchJson(from, { timeout: TIMEOUT }),
  ) {
    this.url = url
    this.#now = now
    this.#get = get
  }

  /**
   * The present keys.
   * @throws Error if there are none, because their server has not answered for too long
   */
  async keys(): Promise<JWTVerifyGetKey> {
    const age = this.#now() - this.#fetchedAt
    if (this.#keys === null || age > OUTAGE) await this.#refresh()
    // An outage of the issuer is noticed by nobody, as long as its keys are known.
    else if (age > REFRESH) this.#refresh().catch(() => undefined)
    if (this.#keys === null || this.#now() - this.#fetchedAt > OUTAGE) throw new Error(`no keys from ${this.url.href}`)
    return this.#keys
  }

  /** A token has a key id that is not known: the issuer may have new keys. @returns whether the keys were fetched now */
  async renewed(): Promise<boolean> {
    const before = this.#fetchedAt
    await this.#refresh().catch(() => undefined)
    return this.#fetchedAt !== before
  }

  #refresh(): Promise<void> {
    if (this.#pending !== null) return this.#pending
    if (this.#now() - this.#triedAt < PAUSE) return Promise.reject(new Error(`no keys from ${this.url.href}: asked a moment ago`))
    this.#triedAt = this.#now()
    this.#pending = this.#fetch().finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  async #fetch(): Promise<void> {
    this.#keys = createLocalJWKSet(publicKeys(await this.#get(this.url)))
    this.#fetchedAt = this.#now()
  }
}

/** The keys for signatures; symmetric keys and private ones have no place in a public document. */
function publicKeys(document: unknown): JSONWebKeySet {
  if (!isJsonObject(document) || !Array.isArray(document.keys)) throw new Error('the document is not a set of keys')
  const keys = document.keys.filter(isJsonObject).flatMap(({ kty, d, ...key }) => {
    const isPublic = (kty === 'RSA' || kty === 'EC' || kty === 'OKP') && d === undefined
    return isPublic ? [{ ...key, kty }] : []
  })
  if (keys.length === 0) throw new Error('the document has no public key')
  return { keys }
}
