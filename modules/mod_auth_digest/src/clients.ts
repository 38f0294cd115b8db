import { randomBytes } from 'node:crypto'

/** The record of a client: which of its nonces it has used. */
export interface Client {
  /** Its opaque value, in hexadecimal. */
  readonly opaque: string
  /** Time of the latest nonce that the client used, and its count. Older nonces are no longer accepted. */
  moment: number
  count: number
  /** Number of the latest one-time nonce. */
  oneTime: number
}

/** Bytes of AuthDigestShmemSize per client, as in httpd. */
export const CLIENT_BYTES = 88

/** Limits of the number of clients. AuthDigestShmemSize alone would allow only a dozen by default. */
const FEWEST = 1_000
const MOST = 1_000_000

/**
 * The clients of this process, for AuthDigestNcCheck and one-time nonces. Opaque values are long and random,
 * so one from another process is unknown here: its client receives a new nonce, and nonces that it used there
 * cannot be used again here.
 */
export class Clients {
  /** In order of their last request, the oldest first. */
  readonly #clients = new Map<string, Client>()
  #limit = FEWEST
  #oneTime = 0

  /** @param bytes AuthDigestShmemSize */
  resize(bytes: number): void {
    this.#limit = Math.min(MOST, Math.max(FEWEST, Math.floor(bytes / CLIENT_BYTES)))
  }

  get size(): number {
    return this.#clients.size
  }

  find(opaque: string): Client | undefined {
    const client = this.#clients.get(opaque)
    if (client === undefined) return undefined
    this.#clients.delete(opaque)
    this.#clients.set(opaque, client)
    return client
  }

  /** Adds a client; at the limit, it removes the one whose last request is the oldest. */
  add(): Client {
    for (const oldest of this.#clients.keys()) {
      if (this.#clients.size < this.#limit) break
      this.#clients.delete(oldest)
    }
    const client: Client = { opaque: newOpaque(), moment: 0, count: 0, oneTime: 0 }
    this.#clients.set(client.opaque, client)
    return client
  }

  /** The number for the next one-time nonce. */
  nextOneTime(): number {
    return ++this.#oneTime
  }
}

/** A hexadecimal number without leading zeros, not 0. */
const OPAQUE = /^[1-9a-f][0-9a-f]{0,15}$/i

export function isOpaque(text: string): boolean {
  return OPAQUE.test(text)
}

function newOpaque(): string {
  const bytes = randomBytes(8)
  // The first digit is not 0, so that the number has its full length.
  bytes[0] |= 0x10
  return bytes.toString('hex')
}
