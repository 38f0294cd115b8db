import { Resolver } from 'node:dns/promises'
import type { Address } from '@gatewright/ipset'
import { reverseName } from './address-key.ts'
import type { Answer } from './answers.ts'
import { hostName } from './host-name.ts'

/** Answers are remembered as long as their records allow, but for no longer than this, in milliseconds. */
const LONGEST_LIFETIME = 60_000

/** How long no name, no address or no answer is remembered, in milliseconds: a dead name server is asked about a client once in that time. */
const NEGATIVE_LIFETIME = 10_000

const TRIES = 2
/** Of the patience, until the first packet counts as lost: the second waits twice as long, and of several servers the next is to have its turn. */
const FIRST_TRY = 1 / 4

/** Questions to name servers through c-ares: sockets of the event loop, no threads. The hosts file plays no part. */
export class NameServers {
  private readonly resolver: Resolver

  /**
   * @param servers as in NameSettings; the system's when undefined
   * @param patience milliseconds for one question, repetitions of lost packets included
   */
  constructor(servers: readonly string[] | undefined, patience: number) {
    this.resolver = new Resolver({ timeout: Math.ceil(patience * FIRST_TRY), tries: TRIES })
    if (servers !== undefined) this.resolver.setServers(servers)
  }

  /** The name that the address's PTR record says, of several the first, as the C library takes it; in lower case. */
  async nameOf(address: Address): Promise<Answer> {
    // c-ares tells no lifetime of PTR records.
    const [name] = await this.resolver.resolvePtr(reverseName(address)).catch(() => [])
    const valid = name === undefined ? undefined : hostName(name)
    return valid === undefined ? NO_ANSWER : { values: [valid], lifetime: LONGEST_LIFETIME }
  }

  async addressesOf(name: string, family: 4 | 6): Promise<Answer> {
    const asked = family === 4 ? this.resolver.resolve4(name, { ttl: true }) : this.resolver.resolve6(name, { ttl: true })
    const records = await asked.catch(() => [])
    if (records.length === 0) return NO_ANSWER
    const lifetime = Math.min(LONGEST_LIFETIME, ...records.map(({ ttl }) => 1000 * ttl))
    return { values: records.map(({ address }) => address), lifetime }
  }

  /** Ends all questions under way: they have no answer. */
  close(): void {
    this.resolver.cancel()
  }
}

const NO_ANSWER: Answer = { values: [], lifetime: NEGATIVE_LIFETIME }
