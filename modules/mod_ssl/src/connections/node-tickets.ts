import { constants, randomBytes } from 'node:crypto'
import type { SecureContext } from 'node:tls'
import { type TicketKeys, ticketKeyBytes } from './ticket-keys.ts'

/** Results that OpenSSL expects. */
const UNKNOWN_KEY = 0
const DONE = 1
/** The session is resumed, and the client gets a new ticket. */
const DONE_AND_RENEW = 2
const IV_BYTES = 16
const KEY_BYTES = 16

/**
 * Encrypts the tickets of a context with keys that may change, and gives clients new tickets when they resume a
 * session with one. Node has no public function for this, only one for keys that are always the same, which
 * also gives no new tickets: this is used where the other is absent. This file alone accesses it.
 * @param mayGive whether the client who is to get a ticket may use it; null for all clients
 */
export function useTicketKeys({ context }: SecureContext, keys: () => TicketKeys, mayGive: (() => boolean) | null): void {
  const native: unknown = context
  if (isChangeable(native)) {
    native.onticketkeycallback = (name, _iv, encrypts) =>
      encrypts && mayGive?.() === false ? useless() : answerOf(keys(), name, encrypts)
    native.enableTicketKeyCallback()
  } else if (mayGive !== null) {
    if (hasOptions(native)) native.setOptions(constants.SSL_OP_NO_TICKET)
  } else if (isFixed(native)) native.setTicketKeys(ticketKeyBytes(keys().current))
}

/** OpenSSL wants to send a ticket; nobody can open this one. */
function useless(): TicketAnswer {
  return [DONE, randomBytes(KEY_BYTES), randomBytes(KEY_BYTES), randomBytes(KEY_BYTES), randomBytes(IV_BYTES)]
}

/** Result, key of the authentication, key of the cipher; to encrypt, also the name and the initialisation vector. */
type TicketAnswer = readonly [number, Buffer, Buffer, Buffer, Buffer]

function answerOf({ current, previous }: TicketKeys, name: Buffer, encrypts: boolean): TicketAnswer {
  if (encrypts) return [DONE, current.authentication, current.cipher, current.name, randomBytes(IV_BYTES)]
  const known = [current, previous].find((key) => key?.name.equals(name) === true)
  // Node requires keys in any case; those of an unknown ticket are not used.
  const { authentication, cipher } = known ?? current
  return [known === undefined ? UNKNOWN_KEY : DONE_AND_RENEW, authentication, cipher, name, name]
}

interface Changeable {
  enableTicketKeyCallback(): void
  onticketkeycallback?: (name: Buffer, iv: Buffer, encrypts: boolean) => TicketAnswer
}

function isChangeable(native: unknown): native is Changeable {
  return hasFunction(native, 'enableTicketKeyCallback')
}

interface Fixed {
  setTicketKeys(keys: Buffer): void
}

function isFixed(native: unknown): native is Fixed {
  return hasFunction(native, 'setTicketKeys')
}

interface WithOptions {
  setOptions(options: number): void
}

function hasOptions(native: unknown): native is WithOptions {
  return hasFunction(native, 'setOptions')
}

function hasFunction(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}
