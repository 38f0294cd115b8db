import type { MaybePromise, OptionalFunctions, Request } from '@gatewright/api'
import { authNameOf } from '@gatewright/api/peers'
import { escapeQuotes } from '@gatewright/api/text'
import type { Client, Clients } from './clients.ts'
import { type DigestConfig, lifetimeOf, needsClientRecords, recordLifeOf } from './config.ts'
import type { Nonces } from './nonce.ts'
import { isOpaque, newOpaque } from './opaque.ts'

/**
 * AuthName as written in challenges; clients and password files must use the same text. Null if there is
 * none.
 */
export function realmOf(functions: OptionalFunctions, request: Request): string | null {
  const name = functions.get(authNameOf)?.(request) ?? null
  return name === null ? null : escapeQuotes(name)
}

/**
 * When a request arrived, in microseconds since 1970. Requests of the same millisecond may be out of order.
 */
export function timeOf(request: Request): number {
  return Math.floor(request.receivedAt * 1000)
}

/** What a challenge depends on. */
export interface Challenge {
  readonly request: Request
  readonly config: Readonly<DigestConfig>
  readonly realm: string
  /** The value that the client sent; null if there is none. */
  readonly opaque: string | null
}

/** Sends challenges, each with a new nonce. */
export class Challenger {
  readonly #nonces: Nonces
  readonly #clients: () => Clients
  /**
   * Time of the latest nonce. Each nonce has a later time than the one before, even if the clock is set back.
   */
  #moment = 0
  /** Number of the latest one-time nonce. */
  #oneTime = 0

  /** @param clients those of the configuration, which are known when it is complete */
  constructor(nonces: Nonces, clients: () => Clients) {
    this.#nonces = nonces
    this.#clients = clients
  }

  /**
   * Adds a challenge to a 401 response; an internal redirect to an error document keeps it. An unknown opaque value is
   * replaced by a new one.
   * @param nonce `stale` if the password was right
   */
  note(challenge: Challenge, nonce: 'stale' | 'fresh'): MaybePromise<void> {
    const { config, opaque } = challenge
    if (opaque === null && !needsClientRecords(config)) return this.#write(challenge, null, null, nonce)
    return this.#clientFor(config, opaque).then((client) => this.#write(challenge, client.opaque, client, nonce))
  }

  /**
   * The same without waiting, for a client that this module has not refused.
   * @param client the record of the client, if it is authenticated and has one
   */
  noteAtOnce(challenge: Challenge, client: Client | undefined): void {
    const { config, opaque } = challenge
    const isKept = opaque !== null && isOpaque(opaque)
    // Who has no record is asked once more, by a challenge that is stale.
    const name = client?.opaque ?? (isKept ? opaque : needsClientRecords(config) ? newOpaque() : null)
    this.#write(challenge, name, client ?? null, 'fresh')
  }

  /** @param client whose nonces have lower numbers, if it is one for one use */
  newNonce({ request, config, realm }: Challenge, opaque: string | null, client: Client | null): string {
    if (lifetimeOf(config) === 0) {
      this.#oneTime = Math.max(this.#oneTime, client?.oneTime ?? 0) + 1
      return this.#nonces.make(this.#oneTime, realm, opaque)
    }
    this.#moment = Math.max(timeOf(request), this.#moment + 1)
    return this.#nonces.make(this.#moment, realm, opaque)
  }

  #write(challenge: Challenge, name: string | null, client: Client | null, nonce: 'stale' | 'fresh'): void {
    const { request, config, realm, opaque } = challenge
    const isNew = opaque !== null && name !== opaque
    const parts = [
      `Digest realm="${realm}", nonce="${this.newNonce(challenge, name, client)}", algorithm=MD5`,
      ...(name === null ? [] : [`opaque="${name}"`]),
      ...(config.domain === undefined ? [] : [`domain="${config.domain.join(' ')}"`]),
      ...(nonce === 'stale' || isNew ? ['stale=true'] : []),
      'qop="auth"',
    ]
    request.errHeadersOut.merge(request.proxyRequest === 'forward' ? 'Proxy-Authenticate' : 'WWW-Authenticate', parts.join(', '))
  }

  async #clientFor(config: Readonly<DigestConfig>, opaque: string | null): Promise<Client> {
    const clients = this.#clients()
    const known = opaque !== null && isOpaque(opaque) ? await clients.find(opaque) : undefined
    return known?.client ?? (await clients.add(recordLifeOf(config)))
  }
}
