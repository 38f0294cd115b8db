import type { OptionalFunctions, Request } from '@gatewright/api'
import { authNameOf } from '@gatewright/api/peers'
import { escapeQuotes } from '@gatewright/api/text'
import { type Client, type Clients, isOpaque } from './clients.ts'
import { type DigestConfig, lifetimeOf, needsClientRecords } from './config.ts'
import type { Nonces } from './nonce.ts'

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

/** Sends challenges, each with a new nonce. */
export class Challenger {
  readonly #nonces: Nonces
  readonly #clients: Clients
  /**
   * Time of the latest nonce. Each nonce has a later time than the one before, even if the clock is set back.
   */
  #moment = 0

  constructor(nonces: Nonces, clients: Clients) {
    this.#nonces = nonces
    this.#clients = clients
  }

  /**
   * Adds a challenge to a 401 response; an internal redirect to an error document keeps it.
   * @param opaque the value that the client sent; null if there is none
   * @param nonce `stale` if the password was right
   */
  note(request: Request, config: Readonly<DigestConfig>, realm: string, opaque: string | null, nonce: 'stale' | 'fresh'): void {
    const client = this.#clientFor(config, opaque)
    const name = client?.opaque ?? null
    const isNew = opaque !== null && name !== opaque
    const parts = [
      `Digest realm="${realm}", nonce="${this.newNonce(request, config, realm, name)}", algorithm=MD5`,
      ...(name === null ? [] : [`opaque="${name}"`]),
      ...(config.domain === undefined ? [] : [`domain="${config.domain.join(' ')}"`]),
      ...(nonce === 'stale' || isNew ? ['stale=true'] : []),
      'qop="auth"',
    ]
    request.errHeadersOut.merge(request.proxyRequest === 'forward' ? 'Proxy-Authenticate' : 'WWW-Authenticate', parts.join(', '))
  }

  newNonce(request: Request, config: Readonly<DigestConfig>, realm: string, opaque: string | null): string {
    if (lifetimeOf(config) === 0) return this.#nonces.make(this.#clients.nextOneTime(), realm, opaque)
    this.#moment = Math.max(timeOf(request), this.#moment + 1)
    return this.#nonces.make(this.#moment, realm, opaque)
  }

  /** Finds or creates the record of a client. An unknown opaque value is replaced by a new one. */
  #clientFor(config: Readonly<DigestConfig>, opaque: string | null): Client | undefined {
    if (opaque === null && !needsClientRecords(config)) return undefined
    const known = opaque !== null && isOpaque(opaque) ? this.#clients.find(opaque) : undefined
    return known ?? this.#clients.add()
  }
}
