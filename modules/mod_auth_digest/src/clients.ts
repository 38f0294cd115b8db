import type { SharedStore } from '@gatewright/api'
import { newOpaque } from './opaque.ts'

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

/** A record as it was found, and where. */
export interface FoundClient {
  readonly client: Client
  readonly store: SharedStore
  /** What the store has of it. */
  readonly bytes: Uint8Array
}

/**
 * The clients of all processes, for AuthDigestNcCheck and one-time nonces. A record is made before its opaque value is sent,
 * and never again: who is unknown, because its record made room for others or its store is away, gets a new opaque value,
 * and what it used before cannot be used again.
 */
export class Clients {
  readonly #stores: readonly SharedStore[]

  /** @param stores where records are looked for, in this order; they are made in the first one that answers */
  constructor(stores: readonly SharedStore[]) {
    this.#stores = stores
  }

  async find(opaque: string): Promise<FoundClient | undefined> {
    for (const store of this.#stores) {
      const bytes = await store.get(keyOf(opaque))
      if (bytes?.length === RECORD_BYTES) return { client: decoded(opaque, bytes), store, bytes }
    }
    return undefined
  }

  /**
   * Makes the record of a new client.
   * @param lifetime milliseconds
   * @returns the client even if no store answers: then it is unknown at its next request
   */
  async add(lifetime: number): Promise<Client> {
    for (const store of this.#stores) {
      const client = newClient()
      if (await store.compareAndSet(keyOf(client.opaque), undefined, encoded(client), lifetime)) return client
    }
    return newClient()
  }

  /**
   * Replaces a record as it was found.
   * @param lifetime milliseconds
   * @returns false if another process has done so meanwhile; undefined if the store does not answer
   */
  replace({ client, store, bytes }: FoundClient, lifetime: number): Promise<boolean | undefined> {
    return store.compareAndSet(keyOf(client.opaque), bytes, encoded(client), lifetime)
  }
}

/** The record of a client that has used no nonce. */
export function newClient(): Client {
  return { opaque: newOpaque(), moment: 0, count: 0, oneTime: 0 }
}

/** Three numbers of eight bytes. */
const RECORD_BYTES = 24

function encoded({ moment, count, oneTime }: Client): Uint8Array {
  const bytes = Buffer.allocUnsafe(RECORD_BYTES)
  bytes.writeDoubleBE(moment, 0)
  bytes.writeDoubleBE(count, 8)
  bytes.writeDoubleBE(oneTime, 16)
  return bytes
}

function decoded(opaque: string, bytes: Uint8Array): Client {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { opaque, moment: view.getFloat64(0), count: view.getFloat64(8), oneTime: view.getFloat64(16) }
}

/** Opaque values are the same in any case. */
function keyOf(opaque: string): string {
  return opaque.toLowerCase()
}
