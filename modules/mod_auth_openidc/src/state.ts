import { randomBytes } from 'node:crypto'
import { isJsonObject } from '@gatewright/tokens'
import type { Passphrase } from './pass-phrase.ts'
import { sealJson, unsealJson } from './sealing.ts'

/** A login that has begun. */
export interface Pending {
  /** Random: what the provider returns, and what the browser's cookie has. */
  readonly id: string
  /** When it began, in milliseconds since 1970. */
  readonly at: number
  /** Where it leads. */
  readonly url: string
  /** How many logins have failed to return in time before this one. */
  readonly restarts: number
}

const ID_LENGTH = 16

/**
 * A new login. The provider returns everything about it, sealed, in the parameter `state`; the cookie of the browser has
 * nothing but the ids of its logins, and is short whatever the URLs are.
 */
export function newPending(url: string, restarts: number): Pending {
  return { id: randomBytes(ID_LENGTH).toString('base64url'), at: Date.now(), url, restarts }
}

export function stateText(passphrase: Passphrase, { id, at, url, restarts }: Pending): string {
  return sealJson(passphrase.key('state'), [id, at, url, restarts])
}

/** The login that a parameter `state` names; null if this server did not make it. */
export function pendingIn(passphrase: Passphrase, state: string): Pending | null {
  const value = unsealJson(passphrase.key('state'), state)
  if (!Array.isArray(value)) return null
  const [id, at, url, restarts]: readonly unknown[] = value
  const isPending = typeof id === 'string' && typeof at === 'number' && typeof url === 'string' && typeof restarts === 'number'
  return isPending ? { id, at, url, restarts } : null
}

/** Both are computed from the id, so that nobody has to keep them. */
export function nonceOf(passphrase: Passphrase, { id }: Pending): string {
  return passphrase.keyFor('nonce', id).toString('base64url')
}

export function verifierOf(passphrase: Passphrase, { id }: Pending): string {
  return passphrase.keyFor('verifier', id).toString('base64url')
}

/** The ids and times of a browser's logins, oldest first. */
export type StateSlots = ReadonlyMap<string, number>

/** The slots in a cookie that are not older than the limit. A damaged cookie has none. */
export function slotsIn(passphrase: Passphrase, cookie: string | null, timeout: number): StateSlots {
  const value = cookie === null ? null : unsealJson(passphrase.key('slots'), cookie)
  const slots = new Map<string, number>()
  if (!isJsonObject(value)) return slots
  const oldest = Date.now() - timeout
  for (const [id, at] of Object.entries(value)) if (typeof at === 'number' && at >= oldest) slots.set(id, at)
  return slots
}

/** The cookie with one more slot; the oldest ones make room. */
export function withSlot(slots: StateSlots, { id, at }: Pending, most: number): StateSlots {
  return new Map([...slots].slice(-(most - 1) || slots.size).concat([[id, at]]))
}

export function withoutSlot(slots: StateSlots, { id }: Pending): StateSlots {
  return new Map([...slots].filter(([other]) => other !== id))
}

export function slotsText(passphrase: Passphrase, slots: StateSlots): string {
  return sealJson(passphrase.key('slots'), Object.fromEntries(slots))
}
