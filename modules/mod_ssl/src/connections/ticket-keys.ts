import { hkdfSync } from 'node:crypto'
import type { RotatingSecrets } from '@gatewright/api'

/** Bytes of each part of a key. */
const PART = 16
/** Bytes of all parts, in the order of SSLSessionTicketKeyFile and of Node. */
const WHOLE = 3 * PART

/** A key that tickets are encrypted with. */
export interface TicketKey {
  /** By which a ticket says what it was encrypted with. */
  readonly name: Buffer
  readonly authentication: Buffer
  readonly cipher: Buffer
}

/** The keys of one server. */
export interface TicketKeys {
  /** For new tickets. */
  readonly current: TicketKey
  /** Tickets that were encrypted with it are accepted, too. */
  readonly previous: TicketKey | null
}

/** The key in 48 bytes. */
export function ticketKeyIn(bytes: Buffer): TicketKey {
  const part = (index: number): Buffer => bytes.subarray(index * PART, (index + 1) * PART)
  return { name: part(0), authentication: part(1), cipher: part(2) }
}

/** The key as 48 bytes. */
export function ticketKeyBytes({ name, authentication, cipher }: TicketKey): Buffer {
  return Buffer.concat([name, authentication, cipher])
}

/**
 * The keys of a server from secrets that the host replaces every day.
 * @param identity differs between servers that must not resume each other's sessions
 */
export function rotatingTicketKeys(secrets: () => RotatingSecrets, identity: string): () => TicketKeys {
  let source: RotatingSecrets | null = null
  let keys: TicketKeys | null = null
  return () => {
    const now = secrets()
    if (keys === null || source !== now) {
      source = now
      keys = {
        current: derivedKey(now.current, identity),
        previous: now.previous === null ? null : derivedKey(now.previous, identity),
      }
    }
    return keys
  }
}

function derivedKey(secret: Uint8Array, identity: string): TicketKey {
  return ticketKeyIn(Buffer.from(hkdfSync('sha256', secret, '', `ticket keys of ${identity}`, WHOLE)))
}
