import { randomBytes } from 'node:crypto'

/** What a client has used of the nonces it was given. */
export interface Client {
  /** Its name in challenges, in hexadecimal. */
  readonly opaque: string
  /** Moment of the latest nonce that it has used, and its count; older nonces are not accepted any more. */
  moment: number
  count: number
  /** Number of the latest nonce for one use. */
  oneTime: number
}

/** Bytes of AuthDigestShmemSize that one client takes, by httpd's reckoning. */
export const CLIENT_BYTES = 88

/** So many are remembered whatever AuthDigestShmemSize says, since its default is for a dozen; and so many at most. */
const FEWEST = 1_000
const MOST = 1_000_000

/**
 * Clients of this process, with AuthDigestNcCheck or nonces for one use. Names are long and random, so a name
 * from another process is unknown here: its client receives a new nonce, and nonces that it used there cannot
 * be used again here.
 */
export class Clients {
  /** Those that came longest ago first. */
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

  /** A new client; when there is no room, the one that has not come for longest is forgotten. */
  add(): Client {
    for (const oldest of this.#clients.keys()) {
      if (this.#clients.size < this.#limit) break
      this.#clients.delete(oldest)
    }
    const client: Client = { opaque: newOpaque(), moment: 0, count: 0, oneTime: 0 }
    this.#clients.set(client.opaque, client)
    return client
  }

  /** Number for a nonce that can be used once. */
  nextOneTime(): number {
    return ++this.#oneTime
  }
}

/** Hexadecimal without zeros in front, and not 0. */
const OPAQUE = /^[1-9a-f][0-9a-f]{0,15}$/i

export function isOpaque(text: string): boolean {
  return OPAQUE.test(text)
}

function newOpaque(): string {
  const bytes = randomBytes(8)
  // Not 0, so that it has its full length.
  bytes[0] |= 0x10
  return bytes.toString('hex')
}
