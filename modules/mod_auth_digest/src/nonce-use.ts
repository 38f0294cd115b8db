import type { DigestCredentials } from './authorization.ts'
import type { Client } from './clients.ts'
import { type DigestConfig, lifetimeOf, needsClientRecords } from './config.ts'

/** Why credentials are refused although the password is right. */
export interface Refusal {
  readonly level: 'error' | 'info'
  readonly code: string
  readonly text: string
  /** Whether the client may try again with a new nonce, without prompting its user. */
  readonly stale: boolean
}

/** Lowest value that is a time (in 1978); lower ones are numbers of one-time nonces. */
const FIRST_TIME = 2 ** 48

/**
 * Checks whether a nonce of this server may be used now, and changes the record of its client.
 * @param moment time or number in the nonce
 * @param now microseconds since 1970
 * @param client the client for which the nonce was made; undefined if there is no record of it
 */
export function useNonce(
  credentials: DigestCredentials,
  config: Readonly<DigestConfig>,
  moment: number,
  now: number,
  client: Client | undefined,
): Refusal | null {
  const lifetime = lifetimeOf(config)
  if (lifetime > 0) {
    const age = now - moment
    if (age < -CLOCK_SLACK)
      return stale('error', 'AH01777', `invalid nonce ${credentials.nonce} received - user attempted time travel`)
    if (age > lifetime * 1e6) return stale('info', 'AH01778', expired(credentials.username, age, lifetime))
  }
  if (!needsClientRecords(config)) return null

  const count = countOf(credentials.count)
  if (count === undefined) return replay('AH01773', `invalid nc ${credentials.count} received - not a number`)
  if (client === undefined) {
    return unknownClient(credentials)
  }
  return lifetime === 0 ? useOnce(credentials, moment, client) : useCount(credentials, moment, count, client)
}

/** Its record made room for others, or where it is kept does not answer. */
export function unknownClient({ opaque }: DigestCredentials): Refusal {
  return stale('info', 'AH10618', `client ${opaque ?? '0'} is no longer known - sending new nonce`)
}

/**
 * Permitted difference between the clocks of two processes, or between two readings of one clock, in
 * microseconds.
 */
const CLOCK_SLACK = 1e6

function stale(level: Refusal['level'], code: string, text: string): Refusal {
  return { level, code, text, stale: true }
}

function replay(code: string, text: string): Refusal {
  return { level: 'error', code, text, stale: false }
}

/** As in httpd, without fractions. */
function expired(user: string, age: number, lifetime: number): string {
  const seconds = Math.floor(age / 1e6)
  return `user ${user}: nonce expired (${seconds.toFixed(2)} seconds old - max lifetime ${lifetime.toFixed(2)}) - sending new nonce`
}

/** The value of nc; an empty text is 0. */
function countOf(text: string): number | undefined {
  return /^[0-9a-f]{0,13}$/i.test(text) ? Number(`0x0${text}`) : undefined
}

function useOnce({ username, nonce }: DigestCredentials, number: number, client: Client): Refusal | null {
  if (number > client.oneTime && number < FIRST_TIME) {
    client.oneTime = number
    return null
  }
  return stale('info', 'AH01779', `user ${username}: one-time-nonce ${nonce} already used - sending new nonce`)
}

/** A nonce starts with a count of 0, and invalidates all older ones. */
function useCount({ nonce }: DigestCredentials, moment: number, count: number, client: Client): Refusal | null {
  const isNewer = moment > client.moment
  const used = isNewer ? 0 : client.count
  if (moment < client.moment || count <= used) {
    const text = `Warning, possible replay attack: nonce-count check failed: ${count} is not above ${used} for nonce ${nonce}`
    return replay('AH01774', text)
  }
  client.moment = moment
  client.count = count
  return null
}
