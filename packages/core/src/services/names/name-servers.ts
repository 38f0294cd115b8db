import { Resolver } from 'node:dns/promises'
import type { Address } from '@gatewright/ipset'
import { reverseName } from './address-key.ts'
import type { Answer } from './answers.ts'
import { hostName } from './host-name.ts'

/** Results are cached as long as their records allow, but not longer than this, in milliseconds. */
const LONGEST_LIFETIME = 60_000

/**
 * How long a missing name, a missing address or a timeout is cached, in milliseconds: a dead name server is
 * asked about a client once in that time.
 */
const NEGATIVE_LIFETIME = 10_000

const TRIES = 2
/**
 * The share of the timeout after which the first packet counts as lost: the second waits twice as long, and
 * if there are several servers, the next one must have its turn.
 */
const FIRST_TRY = 1 / 4

/**
 * Queries to name servers through c-ares: sockets of the event loop, no threads. The hosts file is not used.
 */
export class NameServers {
  readonly #resolver: Resolver

  /**
   * @param servers as in NameSettings; the system's if undefined
   * @param patience timeout of one query in milliseconds, including repetitions of lost packets
   */
  constructor(servers: readonly string[] | undefined, patience: number) {
    this.#resolver = new Resolver({ timeout: Math.ceil(patience * FIRST_TRY), tries: TRIES })
    if (servers !== undefined) this.#resolver.setServers(servers)
  }

  /** The name in the address's PTR record, the first of several, like the C library; in lower case. */
  async nameOf(address: Address): Promise<Answer> {
    // c-ares does not report the lifetime of PTR records.
    const [name] = await this.#resolver.resolvePtr(reverseName(address)).catch(() => [])
    const valid = name === undefined ? undefined : hostName(name)
    return valid === undefined ? NO_ANSWER : { values: [valid], lifetime: LONGEST_LIFETIME }
  }

  async addressesOf(name: string, family: 4 | 6): Promise<Answer> {
    const asked = family === 4 ? this.#resolver.resolve4(name, { ttl: true }) : this.#resolver.resolve6(name, { ttl: true })
    const records = await asked.catch(() => [])
    if (records.length === 0) return NO_ANSWER
    const lifetime = Math.min(LONGEST_LIFETIME, ...records.map(({ ttl }) => 1000 * ttl))
    return { values: records.map(({ address }) => address), lifetime }
  }

  /** Cancels all pending queries, which then have no result. */
  close(): void {
    this.#resolver.cancel()
  }
}

const NO_ANSWER: Answer = { values: [], lifetime: NEGATIVE_LIFETIME }
